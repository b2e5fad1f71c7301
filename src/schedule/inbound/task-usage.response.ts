// Inbound. What a task has used up, on the wire.
import { ApiProperty } from '@nestjs/swagger';
import type { TaskUsage } from '../usecases/read-usage';

export class TaskUsageResponse {
  @ApiProperty({ type: 'integer', example: 30, description: 'Runs that started.' })
  readonly runs: number;

  @ApiProperty({ example: 412.5, description: 'How long they worked.' })
  readonly seconds: number;

  @ApiProperty({ type: 'integer', example: 28, description: 'Of how many runs the agent said what it used.' })
  readonly reported: number;

  @ApiProperty({ type: 'integer', example: 36000 })
  readonly input_tokens: number;

  @ApiProperty({ type: 'integer', example: 9000 })
  readonly output_tokens: number;

  @ApiProperty({ type: 'integer', example: 45000 })
  readonly total_tokens: number;

  @ApiProperty({ example: 0.36 })
  readonly cost_usd: number;

  constructor(usage: TaskUsage) {
    this.runs = usage.runs;
    this.seconds = usage.seconds;
    this.reported = usage.reported;
    this.input_tokens = usage.inputTokens;
    this.output_tokens = usage.outputTokens;
    this.total_tokens = usage.totalTokens;
    this.cost_usd = usage.costUsd;
  }
}
