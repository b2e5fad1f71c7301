// How a classification run ended, cell by cell.
import { outcomeOf } from '../../../src/evidence-classification/domain/run-outcome';

const end = (exitCode: number | null, outOfMemory = false) => ({ exitCode, outOfMemory, output: '' });

it.each([
  ['all is well', end(0), null, 3, 'succeeded', null],
  ['it was told to stop by people, whatever it answered', end(0), 'cancelled', 3, 'cancelled', 'cancelled'],
  ['it was told to stop for time, and ended politely', end(0), 'timed_out', 3, 'failed', 'timed_out'],
  ['it wrote too much', end(137), 'output_too_large', null, 'failed', 'output_too_large'],
  ['a child was killed for memory, and it went on to 0', end(0, true), null, 3, 'failed', 'out_of_memory'],
  ['nobody knows', end(null), null, 3, 'failed', 'engine_lost'],
  ['it was killed, not by us', end(137), null, null, 'failed', 'engine_stopped'],
  ['it was ended, not by us', end(143), null, null, 'failed', 'engine_stopped'],
  ['it failed', end(2), null, 3, 'failed', 'exit_code'],
  ['it ended with 0 and without its last act', end(0), null, null, 'failed', 'incomplete_result'],
  ['its manifest counts other files', end(0), null, 2, 'failed', 'incomplete_result'],
] as const)('%s', (_, runnerEnd, stoppedFor, manifestFiles, status, reason) => {
  expect(outcomeOf({ end: runnerEnd, stoppedFor, manifestFiles, givenFiles: 3 })).toEqual({ status, reason });
});
