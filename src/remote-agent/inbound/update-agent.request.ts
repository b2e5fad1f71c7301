import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsOptional, IsString } from 'class-validator';
import type { AgentChange } from '../usecases/manage-agents';

export class UpdateAgentRequest {
  @ApiPropertyOptional({ maxLength: 128, example: 'build-7' })
  @IsOptional()
  @IsString()
  name?: string;

  @ApiPropertyOptional({ type: [String], description: 'All of them: what is not named is gone.', example: ['linux'] })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  labels?: string[];

  @ApiPropertyOptional({ example: false })
  @IsOptional()
  @IsBoolean()
  disabled?: boolean;

  toChange(): AgentChange {
    return {
      ...(this.name === undefined ? {} : { name: this.name }),
      ...(this.labels === undefined ? {} : { labels: this.labels }),
      ...(this.disabled === undefined ? {} : { disabled: this.disabled }),
    };
  }
}
