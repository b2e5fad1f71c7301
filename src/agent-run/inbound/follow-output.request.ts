// Inbound. Wire shape of the query of GET /api/agent-runs/{id}/output.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

export class FollowOutputQuery {
  @ApiPropertyOptional({
    enum: ['true', 'false', ''],
    description: 'Stay until the run has ended. `?follow` alone means yes.',
  })
  @IsOptional()
  @IsIn(['true', 'false', ''], { message: 'follow must be true or false' })
  readonly follow?: string;

  get stays(): boolean {
    return this.follow === 'true' || this.follow === '';
  }
}
