// Platform, protocol. The one shape of a refusal (RFC 9457), over HTTP and in the command line's --json. Kept apart from
// its description for OpenAPI, so that a command starts without loading Swagger.
export const PROBLEM_JSON = 'application/problem+json';

/** What its members mean: problem.response.ts. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly field?: string;
  readonly errors?: readonly FieldProblem[];
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
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
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
