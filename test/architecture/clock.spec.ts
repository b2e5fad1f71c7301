// Time is an argument: the lint rule that keeps it so finds what it should, and nothing else.
import { runNode } from './support/node';
import { root } from './support/sources';

interface Message {
  readonly ruleId: string;
  readonly line: number;
}

/** Lints texts as if they stood in the given files. The linter's configuration is an ES module: a process of its own. */
async function lint(cases: readonly { file: string; text: string }[]): Promise<Message[][]> {
  const program = `
    import { ESLint } from 'eslint';
    const eslint = new ESLint();
    const results = [];
    for (const { file, text } of ${JSON.stringify(cases)}) results.push(...(await eslint.lintText(text, { filePath: file })));
    console.log(JSON.stringify(results.map(({ messages }) => messages)));`;
  return JSON.parse(await runNode(['--input-type=module', '--eval', program], root)) as Message[][];
}

it('reading the clock is found in a source file, and making a date of a number is not', async () => {
  const text = ['void new Date();', 'void Date.now();', 'void new Date(0);', 'void performance.now();', ''].join('\n');

  // Typed rules want a file that the project knows; its real content does not matter here.
  const [found, inTheClock] = await lint([
    { file: 'src/kernel/ids.ts', text },
    { file: 'src/platform/clock.ts', text },
  ]);

  const lines = (messages: Message[] | undefined): number[] =>
    (messages ?? []).filter(({ ruleId }) => ruleId === 'no-restricted-syntax').map(({ line }) => line);
  expect(lines(found)).toEqual([1, 2]);
  expect(lines(inTheClock)).toEqual([]);
}, 120_000);
