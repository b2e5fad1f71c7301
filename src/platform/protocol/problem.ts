// Platform, protocol. The one shape of a refusal (RFC 9457), over HTTP and in the command line's --json.
import { ApiProperty } from '@nestjs/swagger';

export const PROBLEM_JSON = 'application/problem+json';

export class FieldProblem {
  @ApiProperty({ description: 'The field at fault, in its spelling on the wire.', example: 'schedule_spec.cron' })
  readonly field!: string;

  @ApiProperty({ example: 'schedule_spec.cron must be a string' })
  readonly message!: string;
}

export class Problem {
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

/** What a problem is made from, once its protocol has given it a status. */
export interface ProblemSource {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly field?: string;
  readonly errors?: readonly FieldProblem[];
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

export function problem(source: ProblemSource, requestId?: string): Problem {
  return {
    type: 'about:blank',
    title: TITLES[source.status] ?? (source.status < 500 ? 'Bad Request' : 'Internal Server Error'),
    status: source.status,
    detail: source.detail,
    code: source.code,
    ...(source.field === undefined ? {} : { field: source.field }),
    ...(source.errors === undefined || source.errors.length === 0 ? {} : { errors: source.errors }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
  };
}
