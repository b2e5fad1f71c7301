// Outbound. The library of Google, set up once, and tamed: other addresses than the configured ones are never called, it
// tries nothing twice, and its errors, which hold tokens, never leave this file.
import type { auth, drive_v3 } from '@googleapis/drive';
import { DriveProblemError, type Failure } from '../domain/drive-problem';

export interface GoogleSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly apiRootUrl: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string;
}

/** Loaded when the first tenant's drive is used: whoever has none does not wait for it at the start. */
const library = (): typeof import('@googleapis/drive') =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded on demand
  require('@googleapis/drive') as typeof import('@googleapis/drive');

export type OAuthClient = InstanceType<typeof auth.OAuth2>;
export type DriveApi = drive_v3.Drive;

const ANSWER_WITHIN_MS = 60_000;
/** The others wait meanwhile (access-tokens.ts). */
const TOKEN_WITHIN_MS = 20_000;

export class GoogleClient {
  readonly rootUrl: string;
  private readonly origins: ReadonlySet<string>;

  constructor(readonly settings: GoogleSettings) {
    this.rootUrl = settings.apiRootUrl.endsWith('/') ? settings.apiRootUrl : `${settings.apiRootUrl}/`;
    const { apiRootUrl, tokenUrl, revokeUrl } = settings;
    this.origins = new Set([apiRootUrl, tokenUrl, revokeUrl].map((url) => new URL(url).origin));
  }

  /** With a refresh token: to refresh with; without one, its access tokens are given to it. */
  oauth(refreshToken?: string): OAuthClient {
    const { clientId, clientSecret, redirectUri, authUrl, tokenUrl, revokeUrl } = this.settings;
    const client = new (library().auth.OAuth2)({
      clientId,
      clientSecret,
      redirectUri,
      endpoints: { oauth2AuthBaseUrl: authUrl, oauth2TokenUrl: tokenUrl, oauth2RevokeUrl: revokeUrl },
      transporterOptions: { fetchImplementation: this.guarded, retry: false, timeout: TOKEN_WITHIN_MS },
    });
    // For its own requests of tokens the library insists on three more tries: others wait for them.
    client.transporter.interceptors.request.add({
      resolved: (config) => Promise.resolve({ ...config, retry: false, retryConfig: { retry: 0 } }),
    });
    if (refreshToken !== undefined) client.setCredentials({ refresh_token: refreshToken });
    return client;
  }

  api(oauth: OAuthClient): DriveApi {
    return library().drive({ version: 'v3', auth: oauth, ...this.perCall() } as drive_v3.Options);
  }

  /** For the second argument of every call: uploads forget the root that the client was made with. */
  perCall(timeout = ANSWER_WITHIN_MS) {
    return { rootUrl: this.rootUrl, retry: false, timeout, fetchImplementation: this.guarded } as const;
  }

  /** Tokens go to the configured addresses only, whatever the library makes of a call. */
  private readonly guarded: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!this.origins.has(new URL(url).origin)) {
      return Promise.reject(new Error(`a call to ${new URL(url).origin}, which is not configured`));
    }
    return fetch(input, init);
  };
}

interface LibraryError {
  readonly status?: unknown;
  readonly response?: { readonly status?: unknown; readonly data?: unknown; readonly headers?: unknown };
}

interface ErrorBody {
  readonly error?: string | { readonly message?: string; readonly errors?: readonly ErrorEntry[] };
}

interface ErrorEntry {
  readonly reason?: string;
  readonly location?: string;
}

/** What may be known of a failed call. */
export function failureOf(error: unknown): Failure {
  const { status, response } = error as LibraryError;
  const code = Number(response?.status ?? status);
  if (!Number.isInteger(code) || code < 400) return {};
  const body = bodyOf(response?.data);
  if (typeof body.error === 'string') return { status: code, reason: body.error, oauth: true, ...retryAfter(response) };
  const [entry] = body.error?.errors ?? [];
  return {
    status: code,
    ...(entry?.reason === undefined ? {} : { reason: entry.reason }),
    ...(entry?.location === undefined ? {} : { location: entry.location }),
    ...(body.error?.message === undefined ? {} : { message: body.error.message }),
    ...retryAfter(response),
  };
}

export function problem(error: unknown, call: string): DriveProblemError {
  return error instanceof DriveProblemError ? error : new DriveProblemError(failureOf(error), call);
}

function bodyOf(data: unknown): ErrorBody {
  if (typeof data === 'object' && data !== null) return data;
  try {
    return JSON.parse(String(data)) as ErrorBody;
  } catch {
    return {};
  }
}

/** Seconds, or a moment, which is taken from the answer's own. */
function retryAfter(response: LibraryError['response']): { retryAfterSeconds?: number } {
  const { headers } = response ?? {};
  if (!(headers instanceof Headers)) return {};
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,6}$/.test(value)) return { retryAfterSeconds: Number(value) };
  const seconds = (Date.parse(value) - Date.parse(headers.get('date') ?? '')) / 1_000;
  return seconds > 0 && seconds < 1_000_000 ? { retryAfterSeconds: Math.ceil(seconds) } : {};
}
