// Inbound. A part of the list of agents, newest first.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { QueryNumber } from '../../platform/protocol/query-number';
import { InvalidAgentError } from '../domain/errors';
import { AGENT_STATES, type AgentFilter, type AgentPage, type AgentState } from '../domain/listing';

/** The header that carries the cursor of the next page, when the page was full. */
export const NEXT_CURSOR = 'X-Next-Cursor';

export class ListAgentsQuery {
  @ApiPropertyOptional({ enum: AGENT_STATES })
  @IsOptional()
  @IsIn(AGENT_STATES)
  state?: AgentState;

  @ApiPropertyOptional({
    description: 'Labels separated by commas: those that have all of them.',
    example: 'linux,gpu',
  })
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  labels?: string;

  @ApiPropertyOptional({ description: 'Found in the name, without regard to case.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @QueryNumber()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  @ApiPropertyOptional({ description: `From the ${NEXT_CURSOR} header of the page before.` })
  @IsOptional()
  @IsString()
  cursor?: string;

  toFilter(): AgentFilter {
    const labels = (this.labels ?? '').split(',').filter((label) => label !== '');
    return {
      ...(this.state === undefined ? {} : { state: this.state }),
      ...(labels.length === 0 ? {} : { labels }),
      ...(this.q === undefined || this.q === '' ? {} : { text: this.q }),
    };
  }

  toPage(): AgentPage {
    const limit = this.limit ?? 50;
    return this.cursor === undefined ? { limit } : { limit, after: readCursor(this.cursor) };
  }
}

/** Of the last item of a full page. */
export function nextCursor(
  items: readonly { readonly createdAt: Date; readonly id: string }[],
  { limit }: AgentPage,
): string | undefined {
  const last = items.at(-1);
  if (last === undefined || items.length < limit) return undefined;
  return Buffer.from(`${last.createdAt.getTime()} ${last.id}`).toString('base64url');
}

function readCursor(text: string): { createdAt: Date; id: string } {
  const [, time, id] = /^(\d{1,15}) ([0-9a-f-]{36})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined) {
    throw new InvalidAgentError('cursor', `cursor must be the value of a ${NEXT_CURSOR} header.`);
  }
  return { createdAt: new Date(Number(time)), id };
}
