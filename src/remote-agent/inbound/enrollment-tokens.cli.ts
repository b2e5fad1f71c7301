// Inbound. `horarium agents token|reissue`: what lets a machine in.
import { Option, SubCommand } from 'nest-commander';
import { ApiCommand } from '../../platform/cli/api-command';
import { UsageError } from '../../platform/cli/api-errors';
import { parseDuration } from '../../platform/cli/duration';
import type { JsonOption } from '../../platform/protocol/cli-output';
import type { CreatedEnrollmentTokenResponse } from './enrollment-token.response';

const PATH = '/api/1.0/remote-agents/enrollment-tokens';

interface TokenOptions extends JsonOption {
  ttl?: string;
  uses?: string;
  label?: string[];
}

@SubCommand({ name: 'token', description: 'make an enrolment token; prints just the token' })
export class AgentsTokenCommand extends ApiCommand {
  async run(_: string[], { json, ttl, uses, label }: TokenOptions): Promise<void> {
    await this.output.run(
      { json },
      async () =>
        this.api.post<CreatedEnrollmentTokenResponse>(PATH, {
          ...(ttl === undefined ? {} : { ttl_sec: parseDuration('--ttl', ttl) }),
          ...(uses === undefined ? {} : { max_uses: usesFrom(uses) }),
          ...(label === undefined ? {} : { labels: label }),
        }),
      ({ token }) => token,
    );
  }

  @Option({ flags: '--ttl <time>', description: 'how long it works: 30m, 12h, 7d (1h)' })
  ttl(value: string): string {
    return value;
  }

  @Option({ flags: '--uses <n>', description: 'for how many machines (1)' })
  uses(value: string): string {
    return value;
  }

  @Option({ flags: '--label <label>', description: 'what its machines are given; several times for several' })
  label(value: string, before: string[] = []): string[] {
    return [...before, value];
  }
}

@SubCommand({
  name: 'reissue',
  arguments: '<id>',
  description: 'a token for an agent that is there already: a new disk, a lost key; prints just the token',
})
export class AgentsReissueCommand extends ApiCommand {
  async run([id = '']: string[], { json, ttl }: TokenOptions): Promise<void> {
    await this.output.run(
      { json },
      async () => {
        const life = ttl === undefined ? {} : { ttl_sec: parseDuration('--ttl', ttl) };
        return this.api.post<CreatedEnrollmentTokenResponse>(PATH, { agent_id: id, ...life });
      },
      ({ token }) => token,
    );
  }

  @Option({ flags: '--ttl <time>', description: 'how long it works: 30m, 12h, 7d (1h)' })
  ttl(value: string): string {
    return value;
  }
}

function usesFrom(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError('--uses takes a whole number from 1.');
  return Number(text);
}
