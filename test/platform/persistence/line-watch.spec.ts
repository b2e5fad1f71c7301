// Line watch: which connections are not trusted any more when one of them gave no answer.
import type { ClientBase } from 'pg';
import { LineWatch } from '../../../src/platform/persistence/line-watch';

const client = (): ClientBase => ({}) as ClientBase;
let now = 0;
const watch = (): LineWatch => new LineWatch(() => ++now);

test('whoever was quiet since the unanswered question was asked is doubtful; whoever was heard since is not', () => {
  const lines = watch();
  const [quiet, heard, mute] = [client(), client(), client()];
  lines.giveBack(lines.lend(quiet), 'heard');
  const asked = lines.lend(mute);
  lines.giveBack(lines.lend(heard), 'heard');
  lines.giveBack(asked, 'unanswered');
  expect([lines.isDoubtful(quiet), lines.isDoubtful(heard), lines.isDoubtful(client())]).toEqual([true, false, false]);
});

test('an error is an answer: nobody is doubted for it', () => {
  const lines = watch();
  const [quiet, failing] = [client(), client()];
  lines.giveBack(lines.lend(quiet), 'heard');
  lines.giveBack(lines.lend(failing), 'failed');
  expect(lines.isDoubtful(quiet)).toBe(false);
});

test('of those that are lent at a moment it tells later which still are, though others have been lent since', () => {
  const lines = watch();
  const [back, kept] = [client(), client()];
  const loan = lines.lend(back);
  lines.lend(kept);
  const still = lines.lentNow();
  lines.giveBack(loan, 'heard');
  // The same connection, but somebody else's question.
  lines.lend(back);
  expect(still()).toEqual([kept]);
});
