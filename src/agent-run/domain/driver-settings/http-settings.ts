// Domain. What an operator may write about an assistant of the driver `http`: a web service that is posted each run.
import type { Settings } from '../settings';
import { secretName } from './environment-names';
import { isWebAddress } from './web-address';

export interface HttpSettings {
  readonly kind: 'http';
  readonly url: string;
  /** The variable of the operator's environment that holds the signing secret. */
  readonly secret: string;
  /** How long the service may take to accept a run, or to answer it at once. */
  readonly answerSeconds: number;
}

export const HTTP_KEYS = ['url', 'secret', 'answer_seconds'] as const;

export function httpFrom(settings: Settings): HttpSettings {
  const url = settings.text('url', 2048);
  if (url === null || !isWebAddress(url)) {
    return settings.refuse('url', 'must be the address that runs are posted to, such as https://agent.example/runs');
  }
  const secret = secretName(settings, 'secret');
  if (secret === null) {
    return settings.refuse('secret', 'must be the name of an environment variable that holds the signing secret');
  }
  return { kind: 'http', url, secret, answerSeconds: settings.whole('answer_seconds', 1, 3600) ?? 30 };
}
