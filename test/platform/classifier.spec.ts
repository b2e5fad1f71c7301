// The bundled classifier, run as the process runner runs it: what it reads, how good it is, and how it asks a model.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskRunFolders } from '../../src/evidence-classification/outbound/disk-run-folders';
import { SocketModelDoor } from '../../src/evidence-classification/outbound/socket-model-door';
import { docx, pdf } from '../support/classifier/classifier-files';

const CLASSIFIER = join(__dirname, '..', '..', 'classifier');
// Longer than the name of a socket may be.
const root = join(mkdtempSync(join(tmpdir(), 'horarium-classifier-')), 'x'.repeat(90));
const folders = new DiskRunFolders(root);
afterAll(() => rmSync(join(root, '..'), { recursive: true, force: true }));

interface Given {
  readonly name: string;
  readonly content: string | Buffer;
  readonly mimeType?: string;
}
interface Line {
  readonly file: string;
  readonly state: string;
  readonly family?: string | null;
  readonly confidence?: number | null;
  readonly words?: string[];
  readonly error?: string;
}

async function laidOut(runId: string, files: readonly Given[]): Promise<void> {
  const given = async function* () {
    for (const { name, content, mimeType = 'application/octet-stream' } of files) {
      const pieces = (async function* () {
        yield await Promise.resolve(Buffer.from(content));
      })();
      yield await Promise.resolve({ evidenceId: name, name, mimeType, content: pieces });
    }
  };
  await folders.prepare(runId, given());
}

async function classified(runId: string): Promise<Line[]> {
  const paths = folders.paths(runId);
  const env = { PATH: process.env['PATH'], HORARIUM_IN: paths.in, HORARIUM_OUT: paths.out };
  const child = spawn(process.execPath, [join(CLASSIFIER, 'main.mjs')], { env, stdio: ['ignore', 'inherit', 'pipe'] });
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  const lines = readFileSync(join(paths.out, 'progress.ndjson'), 'utf8').trimEnd().split('\n');
  expect(await folders.manifestFiles(runId)).toBe(lines.length);
  return lines.map((line) => JSON.parse(line) as Line);
}

const SHREDDED = 'Certificate of destruction: the hard disks and tapes were shredded, the backup media wiped.';

it('reads txt, md, csv, html, docx and pdf, and says what it cannot read', async () => {
  const readable: Given[] = [
    { name: 'a.txt', content: SHREDDED },
    { name: 'latin.txt', content: Buffer.from(`${SHREDDED} Z\xfcrich`, 'latin1') },
    { name: 'b.md', content: `# ${SHREDDED}` },
    { name: 'c.csv', content: `date;what\n2026-01-01;"${SHREDDED}"\n` },
    { name: 'd.html', content: `<script>firewall vpn tls proxy</script><p>${SHREDDED.replace('hard', '<b>hard</b>')}` },
    { name: 'no suffix', content: `<!DOCTYPE html><p>${SHREDDED}`, mimeType: 'text/html' },
    { name: 'e.docx', content: docx(SHREDDED) },
    { name: 'misnamed.txt', content: docx(SHREDDED) },
    { name: 'f.pdf', content: pdf(SHREDDED) },
  ];
  const unreadable: [Given, RegExp][] = [
    [{ name: 'scan.pdf', content: pdf('') }, /no text: is it a scan/],
    [{ name: 'torn.pdf', content: pdf(SHREDDED).subarray(0, 40) }, /cannot be read/],
    [{ name: 'torn.docx', content: docx(SHREDDED).subarray(0, 200) }, /the document cannot be read/],
    [{ name: 'x.zip', content: Buffer.from('PK\x03\x04 no archive') }, /the archive cannot be read/],
    [{ name: 'photo.png', content: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') }, /no text can be read/],
  ];
  await laidOut('reading', [...readable, ...unreadable.map(([given]) => given)]);
  const lines = await classified('reading');
  for (const { name } of readable) {
    expect(lines.find(({ file }) => file === name)).toMatchObject({ state: 'done', family: 'MP' });
  }
  for (const [{ name }, error] of unreadable) {
    const line = lines.find(({ file }) => file === name);
    expect(line).toEqual({ file: name, state: 'failed', error: expect.stringMatching(error) });
  }
  expect(lines[0]!.words).toEqual(expect.arrayContaining(['destruction', 'shredded']));
});

it('is as good as its page says: no better, and no worse', async () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'classification.md'), 'utf8').replace(/\s+/g, ' ');
  const texts = (name: string) =>
    JSON.parse(readFileSync(join(CLASSIFIER, name), 'utf8')) as { family: string; text: string }[];
  const sets = { labelled: texts('labelled.json'), heldOut: texts('held-out.json') };
  const files = Object.entries(sets).flatMap(([set, all]) =>
    all.map(({ text }, nr) => ({ name: `${set} ${nr}.txt`, content: text })),
  );
  await laidOut('measured', files);
  const said = new Map((await classified('measured')).map((line) => [line.file, line.family]));
  const count = (set: 'labelled' | 'heldOut') => {
    const families = sets[set].map(({ family }, nr) => ({ family, said: said.get(`${set} ${nr}.txt`) }));
    const right = families.filter((one) => one.said === one.family).length;
    const silent = families.filter((one) => one.said === null).length;
    return { of: families.length, right, silent, wrong: families.length - right - silent };
  };
  const [labelled, heldOut] = [count('labelled'), count('heldOut')];
  expect(page).toContain(`Of the ${labelled.of} short texts`);
  expect(page).toContain(`it sorts ${labelled.right} right`);
  expect(page).toContain(`Of the ${heldOut.of} sentences`);
  expect(page).toContain(
    `it sorts ${heldOut.right} right, ${heldOut.wrong} wrong, and says nothing of ${heldOut.silent}`,
  );
});

it('needs the packages that the product is tested with', () => {
  const dependencies = (path: string) =>
    (JSON.parse(readFileSync(path, 'utf8')) as { dependencies: Record<string, string> }).dependencies;
  expect(dependencies(join(CLASSIFIER, '..', 'package.json'))).toMatchObject(
    dependencies(join(CLASSIFIER, 'package.json')),
  );
});

describe('with a model', () => {
  interface Asked {
    readonly authorization: string | undefined;
    readonly body: { model: string; messages: { role: string; content: string }[] };
  }
  const asked: Asked[] = [];
  let answer: (nr: number) => { status: number; text: string };
  let model: Server;
  let url: string;

  beforeAll(async () => {
    model = createServer((request, response) => {
      void whole(request).then((text) => {
        asked.push({ authorization: request.headers.authorization, body: JSON.parse(text) as Asked['body'] });
        const { status, text: said } = answer(asked.length);
        const content = JSON.stringify({ choices: [{ message: { role: 'assistant', content: said } }] });
        response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end(content);
      });
    }).listen(0, '127.0.0.1');
    await once(model, 'listening');
    url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1/`;
  });
  afterAll(() => void model.close());
  beforeEach(() => void asked.splice(0));

  const door = () => new SocketModelDoor({ url, model: 'a-model', key: 'a-key' });

  it('asks it through a socket, and never sees the key', async () => {
    answer = () => ({ status: 200, text: 'Sure: {"family": "PE", "confidence": 0.9, "words": ["shredded"]}' });
    await laidOut('model', [{ name: 'a.txt', content: SHREDDED }]);
    const open = await door().open(folders.paths('model').in, 3);
    expect(await classified('model')).toEqual([
      { file: 'a.txt', state: 'done', family: 'PE', confidence: 0.9, words: ['shredded'] },
    ]);
    await open.close();
    expect(asked).toMatchObject([{ authorization: 'Bearer a-key', body: { model: 'a-model' } }]);
    expect(asked[0]!.body.messages.at(-1)!.content).toContain(SHREDDED);
    expect(readFileSync(join(folders.paths('model').in, 'model.json'), 'utf8')).toBe('{"socket":"model.sock"}');
  });

  it('goes by the words when it says nothing, and fails a file that it was not answered for', async () => {
    answer = (nr) =>
      [
        { status: 200, text: 'I do not know.' },
        { status: 200, text: '{"family": "<b>"}' },
        { status: 302, text: '' },
        { status: 401, text: 'a-key is wrong' },
      ][nr - 1]!;
    const names = ['1', '2', '3', '4', '5'];
    await laidOut(
      'hints',
      names.map((name) => ({ name, content: SHREDDED })),
    );
    const open = await door().open(folders.paths('hints').in, 4);
    const failed = (file: string, status: number) => ({ file, state: 'failed', error: `the model answers ${status}` });
    expect(await classified('hints')).toEqual([
      expect.objectContaining({ file: '1', family: 'MP' }),
      expect.objectContaining({ file: '2', family: 'MP' }),
      failed('3', 502),
      failed('4', 401),
      failed('5', 429),
    ]);
    await open.close();
    expect(asked).toHaveLength(4);
  });

  it('waits for whoever takes up the run of a process that died', async () => {
    answer = () => ({ status: 200, text: '{"family": "PE", "confidence": 0.5, "words": []}' });
    await laidOut('anew', [{ name: 'a.txt', content: SHREDDED }]);
    const { in: folder, out } = folders.paths('anew');
    const first = await door().open(folder, 3);
    const second = await door().open(folder, 3);
    // The end of the first one leaves the second one's socket where it is.
    await first.close();
    expect(existsSync(join(folder, 'model.sock'))).toBe(true);
    await second.close();
    const lines = classified('anew');
    const third = await door().open(folder, 3);
    expect(await lines).toMatchObject([{ family: 'PE' }]);
    await third.close();
    expect(existsSync(join(out, 'manifest.json'))).toBe(true);
  });
});

async function whole(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}
