import { DataFolderUnusableError } from '../../../src/platform/data-folder/errors';
import { EmbeddedDatabaseError } from '../../../src/platform/embedded/errors';
import { AddressUnusableError } from '../../../src/platform/listen';
import { cliRefusal, EXIT_CODE } from '../../../src/platform/protocol/cli-errors';
import { CliOutput, columns } from '../../../src/platform/protocol/cli-output';
import { AnyError } from './small-app';

function terminal() {
  const seen = { out: '', err: '', code: 0 };
  const output = new CliOutput({
    out: (text) => void (seen.out += text),
    err: (text) => void (seen.err += text),
    exitCode: (code) => void (seen.code = code),
  });
  return { seen, output };
}

describe('on the command line', () => {
  it.each(Object.entries(EXIT_CODE))('a refusal of kind %s ends with %i', async (kind, code) => {
    const { seen, output } = terminal();
    await output.run({}, () => Promise.reject(new AnyError(kind as keyof typeof EXIT_CODE)), String);
    expect(seen).toEqual({ out: '', err: expect.stringMatching(`^error: a ${kind} thing\n`), code });
  });

  it('a refusal with --json is a problem document', async () => {
    const { seen, output } = terminal();
    await output.run({ json: true }, () => Promise.reject(new AnyError('busy')), String);
    expect(JSON.parse(seen.err)).toMatchObject({ status: 409, code: 'test.any', detail: 'a busy thing' });
  });

  it.each([DataFolderUnusableError, EmbeddedDatabaseError, AddressUnusableError])(
    'what keeps the server itself from starting is not answered with the question whether it runs',
    (StartError) => {
      expect(cliRefusal(new StartError('no')).text).toBe('error: no');
    },
  );

  it('an error that nobody foresaw ends with 70 and says why, but for secrets', async () => {
    const { seen, output } = terminal();
    await output.run({}, () => Promise.reject(new Error('no route to postgres://u:hunter2@db')), String);
    expect(seen).toEqual({ out: '', err: 'error: no route to postgres://u:***@db\n', code: 70 });
  });

  it('a result is said for people, or as JSON', async () => {
    const { seen, output } = terminal();
    await output.run(
      {},
      () => Promise.resolve({ id: 7 }),
      ({ id }) => `made ${id}`,
    );
    await output.run({ json: true }, () => Promise.resolve({ id: 7 }), String);
    expect(seen).toEqual({ out: 'made 7\n{"id":7}\n', err: '', code: 0 });
  });

  it('columns stand under their heads', () => {
    expect(
      columns(
        ['id', 'name'],
        [
          ['1', 'a'],
          ['12345', 'b'],
        ],
      ),
    ).toBe('id     name\n1      a\n12345  b');
  });
});
