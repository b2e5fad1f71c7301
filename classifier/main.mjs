// The classifier: reads /in/job.json and the files it lists, says of each to which family of controls it belongs
// (/out/progress.ndjson, a line as soon as a file is done), and writes /out/manifest.json by renaming, as its last act.
// Offline; a model is asked through a socket, when there is one. Any image that keeps to this can stand in its place.
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf, Unreadable } from './extract.mjs';
import { askModel } from './model.mjs';
import { classify } from './score.mjs';

const input = process.env.HORARIUM_IN ?? '/in';
const output = process.env.HORARIUM_OUT ?? '/out';

const { files } = JSON.parse(await readFile(join(input, 'job.json'), 'utf8'));
const model = await modelSettings();
// The name of a socket ends at about a hundred characters, which the folder's may have by itself.
if (model !== undefined) process.chdir(input);
for (const { id, name, mime_type: mimeType, path } of files) {
  const line = await lineFor(id, join(input, path), { name, mimeType });
  await appendFile(join(output, 'progress.ndjson'), `${JSON.stringify(line)}\n`);
}
await writeFile(join(output, 'manifest.new'), JSON.stringify({ version: 1, files: files.length }));
await rename(join(output, 'manifest.new'), join(output, 'manifest.json'));
process.exit(0);

async function lineFor(file, path, about) {
  try {
    const text = await textOf(path, about);
    const found = model === undefined ? classify(text) : await askModel(model, text, classify(text));
    return { file, state: 'done', ...found };
  } catch (error) {
    if (!(error instanceof Unreadable)) console.error(`${file}: ${error.stack}`);
    return { file, state: 'failed', error: error.message };
  }
}

/** Where to ask; absent when there is nobody. */
async function modelSettings() {
  const text = await readFile(join(input, 'model.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}
