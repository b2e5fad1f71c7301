// Domain. Names of files that are safe on every system and in every header: cleaned, never refused, since Drive and mail
// allow what file systems do not.

const LONGEST_BYTES = 240;
/** Invisible characters that turn the reading order around: `exe.fdp` that reads like `pdf.exe`. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** The last part of a path, without what some system takes for more than a letter of a name. */
export function safeFileName(text: string): string {
  const last = text.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(INVISIBLE, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
    .replace(/[. ]+$/, '');
  const named = RESERVED.test(plain) ? `_${plain}` : plain;
  return shortened(named) || 'file';
}

/** Keeps the extension: it says what opens the file. */
function shortened(name: string): string {
  if (bytes(name) <= LONGEST_BYTES) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  let stem = [...name.slice(0, name.length - extension.length)];
  while (bytes(stem.join('')) > LONGEST_BYTES - extension.length) {
    stem = stem.slice(0, Math.max(0, stem.length - Math.ceil((bytes(stem.join('')) - LONGEST_BYTES + 11) / 4)));
  }
  return stem.join('').trimEnd() + extension;
}

function bytes(text: string): number {
  let count = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    count += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return count;
}

const MIME_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** Type and subtype in lower case; whatever is none is called bytes. Parameters are left out. */
export function plainMimeType(text: string | undefined): string {
  const type = (text ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return MIME_TYPE.test(type) ? type : 'application/octet-stream';
}
