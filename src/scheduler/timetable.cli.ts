// Scheduler. `horarium timetable`.
import { Command, CommandRunner, Option } from 'nest-commander';
import { CliOutput, columns, type JsonOption } from '../platform/protocol/cli-output';
import { type TimetableLookup, TimetableReader } from './timetable-lookup';

@Command({ name: 'timetable', description: 'what the house does by itself: rhythms, last and next instants' })
export class TimetableCommand extends CommandRunner {
  constructor(
    private readonly reader: TimetableReader,
    private readonly output: CliOutput,
  ) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.reader.read(), forPeople);
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

function forPeople({ server, rows }: TimetableLookup): string {
  const running = server === 'running';
  const unknown = running ? '-' : 'after the start';
  const table = columns(
    ['row', 'rhythm', 'last tick', 'took', 'next tick', 'ticks', 'failed', 'last error'],
    rows.map((row) => [
      row.name,
      row.rhythm + (row.once_per_cluster ? ', once per cluster' : ''),
      row.last_tick_at ?? '-',
      row.last_duration_ms === null ? '-' : `${row.last_duration_ms} ms`,
      row.running ? 'running' : (row.next_tick_at ?? unknown),
      String(row.ticks),
      String(row.failures),
      row.last_error ?? '-',
    ]),
  );
  return running ? table : `server not running: instants of cron rows are computed, others are not known\n\n${table}`;
}
