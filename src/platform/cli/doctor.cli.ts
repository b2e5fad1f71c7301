// Platform, command line. `horarium doctor`.
import { Command } from 'nest-commander';
import { columns, type JsonOption } from '../protocol/cli-output';
import { EXIT_CODE } from '../protocol/cli-errors';
import { ApiCommand } from './api-command';
import { diagnose, type Diagnosis } from './doctor';
import { visible } from './for-people';

@Command({ name: 'doctor', description: 'is all well? the server, its health, your token' })
export class DoctorCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => diagnose(this.api),
      forPeople,
      (diagnosis) => diagnosis,
      ({ ok }) => (ok ? 0 : EXIT_CODE.unavailable),
    );
  }
}

function forPeople({ findings, ok }: Diagnosis): string {
  const rows = findings.map(({ name, status, message }) => [name, status, visible(message).replaceAll('\n', ' ')]);
  return `${columns(['check', 'state', ''], rows)}\n\n${ok ? 'All is well.' : 'Not all is well.'}`;
}
