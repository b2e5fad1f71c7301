// Inbound. A part of the list of agents, newest first.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQuery } from '../../platform/protocol/page-query';
import { AGENT_STATES, type AgentFilter, type AgentState } from '../domain/listing';

export class ListAgentsQuery extends PageQuery {
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

  toFilter(): AgentFilter {
    const labels = (this.labels ?? '').split(',').filter((label) => label !== '');
    return {
      ...(this.state === undefined ? {} : { state: this.state }),
      ...(labels.length === 0 ? {} : { labels }),
      ...(this.q === undefined || this.q === '' ? {} : { text: this.q }),
    };
  }
}
