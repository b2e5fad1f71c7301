// Platform, protocol. The shape of a refusal, described for OpenAPI. What makes one is in problem.ts.
import { ApiProperty } from '@nestjs/swagger';
import type { FieldProblem as FieldProblemShape, Problem as ProblemShape } from './problem';

class FieldProblem implements FieldProblemShape {
  @ApiProperty({ description: 'The field at fault, in its spelling on the wire.', example: 'schedule_spec.cron' })
  readonly field!: string;

  @ApiProperty({ example: 'schedule_spec.cron must be a string' })
  readonly message!: string;
}

export class Problem implements ProblemShape {
  @ApiProperty({ description: '`code` tells problems apart, this does not.', example: 'about:blank' })
  readonly type!: string;

  @ApiProperty({ description: 'The status in words.', example: 'Unprocessable Content' })
  readonly title!: string;

  @ApiProperty({ example: 422 })
  readonly status!: number;

  @ApiProperty({ description: 'What is wrong and what would be right, for people.' })
  readonly detail!: string;

  @ApiProperty({ description: 'A stable name that programs may rely on.', example: 'request.invalid' })
  readonly code!: string;

  @ApiProperty({ required: false, description: 'The field at fault, when there is one.', example: 'timezone' })
  readonly field?: string;

  @ApiProperty({ required: false, type: [FieldProblem], description: 'Every field at fault.' })
  readonly errors?: readonly FieldProblem[];

  @ApiProperty({ required: false, description: 'Also in the answer’s X-Request-Id and in the log.' })
  readonly request_id?: string;
}
