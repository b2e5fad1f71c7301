// Platform, protocol. Names the refusals of an operation in the OpenAPI document, each with an example.
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { PROBLEM_JSON, problem, type ProblemSource } from './problem';
import { Problem } from './problem.response';

type Example = Omit<ProblemSource, 'status'>;

const EXAMPLES = {
  400: { code: 'request.malformed-json', detail: 'The body is not valid JSON: Unexpected end of JSON input' },
  401: { code: 'auth.not-signed-in', detail: 'Sign in: send a token or an API key as `Authorization: Bearer …`.' },
  403: { code: 'auth.role-required', detail: 'This needs the role operator.' },
  404: { code: 'request.not-found', detail: 'There is no such thing, or it is not yours.' },
  409: { code: 'request.conflict', detail: 'Something else is going on with it at the moment; try again.' },
  413: { code: 'request.too-large', detail: 'The body is larger than the limit of 256 KiB.' },
  415: { code: 'request.unsupported-media-type', detail: 'Send the body as application/json.' },
  422: {
    code: 'request.invalid',
    detail: 'timezone is required',
    field: 'timezone',
    errors: [{ field: 'timezone', message: 'timezone is required' }],
  },
  429: { code: 'request.exhausted', detail: 'Too much is going on at the moment; try later.' },
  500: { code: 'platform.internal', detail: 'Something went wrong on our side.' },
  502: { code: 'request.downstream', detail: 'What was asked on your behalf failed.' },
  503: { code: 'platform.database-unavailable', detail: 'The database cannot be reached at the moment.' },
} satisfies Record<number, Example>;

export type ProblemStatus = keyof typeof EXAMPLES;

const DESCRIPTIONS: Readonly<Record<ProblemStatus, string>> = {
  400: 'The body cannot be read',
  401: 'Not signed in, or the token has expired',
  403: 'Signed in, but without the right to this',
  404: 'Unknown, or somebody else’s: the two are never told apart',
  409: 'Not possible in its present state',
  413: 'The body is too large',
  415: 'The body is no JSON',
  422: 'A field is wrong, missing or unknown; nothing was written',
  429: 'A limit is reached',
  500: 'A fault of ours; it is in the log under the request id',
  502: 'A system behind us failed',
  503: 'The database is away, or the server is shutting down',
};

/** An own example in place of the usual one: `{ status: 409, code: 'schedule.task-running', detail: '…' }`. */
export type ProblemExample = Example & { readonly status: ProblemStatus; readonly description?: string };

/** `@ApiProblems(401, 404, 422)`: one entry for each status; several examples of one status are joined. */
export function ApiProblems(
  ...problems: readonly (ProblemStatus | ProblemExample)[]
): MethodDecorator & ClassDecorator {
  const examples = problems.map((one): ProblemExample =>
    typeof one === 'number' ? { status: one, ...EXAMPLES[one] } : one,
  );
  const statuses = [...new Set(examples.map(({ status }) => status))].sort((a, b) => a - b);
  return applyDecorators(
    ApiExtraModels(Problem),
    ...statuses.map((status) =>
      responseFor(
        status,
        examples.filter((example) => example.status === status),
      ),
    ),
  );
}

function responseFor(status: ProblemStatus, examples: readonly ProblemExample[]) {
  return ApiResponse({
    status,
    description: examples.find(({ description }) => description !== undefined)?.description ?? DESCRIPTIONS[status],
    content: {
      [PROBLEM_JSON]: {
        schema: { $ref: getSchemaPath(Problem) },
        examples: Object.fromEntries(examples.map((example) => [example.code, { value: problem(example) }])),
      },
    },
  });
}
