import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString } from 'class-validator';
import type { CreateEnrollmentTokenInput } from '../usecases/create-enrollment-token';

/** The shape only: limits are the domain's. */
export class CreateEnrollmentTokenRequest {
  @ApiPropertyOptional({ minimum: 60, maximum: 2_592_000, default: 3_600, description: 'How long it works.' })
  @IsOptional()
  @IsInt()
  ttl_sec?: number;

  @ApiPropertyOptional({ minimum: 1, maximum: 10_000, default: 1, description: 'For how many machines.' })
  @IsOptional()
  @IsInt()
  max_uses?: number;

  @ApiPropertyOptional({ format: 'uuid', description: 'For an agent that is there already.' })
  @IsOptional()
  @IsString()
  agent_id?: string;

  @ApiPropertyOptional({
    type: [String],
    description: 'What its machines are given.',
    example: ['linux', 'site:lisbon'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  labels?: string[];

  toInput(): CreateEnrollmentTokenInput {
    return {
      ...(this.ttl_sec === undefined ? {} : { ttlSeconds: this.ttl_sec }),
      ...(this.max_uses === undefined ? {} : { maxUses: this.max_uses }),
      ...(this.agent_id === undefined ? {} : { agentId: this.agent_id }),
      ...(this.labels === undefined ? {} : { labels: this.labels }),
    };
  }
}
