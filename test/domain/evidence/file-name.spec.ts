// Names of files: cleaned so that no system and no header takes a part of them for something else.
import fc from 'fast-check';
import { plainMimeType, safeFileName } from '../../../src/evidence/domain/file-name';

it.each([
  ['policy.pdf', 'policy.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\report.docx', 'report.docx'],
  ['a\u202Efdp.exe', 'afdp.exe'],
  ['line\nbreak.txt', 'linebreak.txt'],
  ['what?.csv', 'what_.csv'],
  ['.htaccess', 'htaccess'],
  ['name. . .', 'name'],
  ['aux', '_aux'],
  ['COM1.txt', '_COM1.txt'],
  ['', 'file'],
  ['///', 'file'],
  ['e\u0301.txt', 'é.txt'],
])('%j becomes %j', (given, safe) => expect(safeFileName(given)).toBe(safe));

it('keeps the extension of a name that is too long', () => {
  const safe = safeFileName(`${'ä'.repeat(400)}.pdf`);
  expect(safe).toMatch(/^ä+\.pdf$/);
  expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(240);
});

it('is never empty, never a path, never longer than a file system takes, and the same when cleaned again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const safe = safeFileName(text);
      expect(safe).not.toMatch(/[/\\\0<>:"|?*]|^\.|[. ]$|^$/);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(255);
      expect(safeFileName(safe)).toBe(safe);
    }),
  );
});

it.each([
  ['Text/Plain; charset=utf-8', 'text/plain'],
  ['nonsense', 'application/octet-stream'],
  [undefined, 'application/octet-stream'],
  ['text/html\r\nX: y', 'application/octet-stream'],
])('the type %j is called %j', (given, plain) => expect(plainMimeType(given)).toBe(plain));
