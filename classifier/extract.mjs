// The text of a file. What it is, its first bytes say; its name and its declared type only where they say nothing.
import { readFile } from 'node:fs/promises';

export class Unreadable extends Error {}

const LONGEST_TEXT = 400_000;

export async function textOf(path, { name, mimeType }) {
  const bytes = await readFile(path);
  const start = bytes.subarray(0, 8).toString('latin1');
  if (start.startsWith('%PDF-')) return cut(await pdfText(bytes));
  if (start.startsWith('PK\x03\x04')) return cut(await docxText(bytes, name));
  if (bytes.includes(0) || /^(\x89PNG|GIF8|\xff\xd8\xff|\xd0\xcf\x11\xe0)/.test(start)) {
    throw new Unreadable('no text can be read from this kind of file');
  }
  const text = plainText(bytes);
  const html =
    /\.x?html?$/i.test(name) || mimeType === 'text/html' || /^\s*<(!doctype html|html)/i.test(text.slice(0, 200));
  return cut(html ? await htmlText(text) : text);
}

function plainText(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

async function pdfText(bytes) {
  const { extractText, getDocumentProxy } = await import('unpdf');
  try {
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    if (text.trim() === '') throw new Unreadable('the PDF has no text: is it a scan?');
    return text;
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(`the PDF cannot be read: ${error.message}`);
  }
}

async function docxText(bytes, name) {
  const { default: mammoth } = await import('mammoth');
  try {
    return (await mammoth.extractRawText({ buffer: bytes })).value;
  } catch (error) {
    throw new Unreadable(`${/\.docx$/i.test(name) ? 'the document' : 'the archive'} cannot be read: ${error.message}`);
  }
}

async function htmlText(html) {
  const { Parser } = await import('htmlparser2');
  const pieces = [];
  let hidden = 0;
  const parser = new Parser({
    onopentag: (tag) => void (SILENT.has(tag) && hidden++),
    onclosetag: (tag) => void (SILENT.has(tag) && hidden--),
    ontext: (text) => void (hidden === 0 && pieces.push(text)),
  });
  parser.end(html);
  return pieces.join(' ');
}

const SILENT = new Set(['script', 'style', 'noscript', 'template']);

function cut(text) {
  return text.slice(0, LONGEST_TEXT);
}
