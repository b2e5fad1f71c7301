// Platform, instances. `horarium instances`.
import { Command, Option } from 'nest-commander';
import { ApiCommand } from '../cli/api-command';
import { columns, type JsonOption } from '../protocol/cli-output';
import type { InstanceResponse } from './instance.response';

interface InstancesOptions extends JsonOption {
  readonly all?: boolean;
}

@Command({ name: 'instances', description: 'the processes that work on this database, alive and dead' })
export class InstancesCommand extends ApiCommand {
  async run(_: string[], options: InstancesOptions): Promise<void> {
    const read = async (): Promise<InstanceResponse[]> => {
      const found = await this.api.get<InstanceResponse[]>('/api/instances');
      return options.all === true ? found : found.filter(({ stopped_at }) => stopped_at === null);
    };
    await this.output.run(options, read, forPeople);
  }

  @Option({ flags: '--all', description: 'the dead, too' })
  all(): boolean {
    return true;
  }
}

function forPeople(found: InstanceResponse[]): string {
  return columns(
    ['id', 'state', 'host', 'pid', 'version', 'started', 'last heartbeat'],
    found.map((each) => [
      each.id,
      each.state,
      each.host,
      String(each.pid),
      each.version,
      each.started_at,
      each.heartbeat_at,
    ]),
  );
}
