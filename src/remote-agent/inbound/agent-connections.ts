// Inbound. Which requests came in through the agents' port, and with which certificate. A request that is not noted
// here came from somewhere else, whatever its headers say.
import type { IncomingMessage } from 'node:http';
import type { ShownCertificate } from '../usecases/authenticate-agent';

const shown = new WeakMap<object, Promise<ShownCertificate | undefined>>();

export function noteCertificate(request: IncomingMessage, certificate: Promise<ShownCertificate | undefined>): void {
  shown.set(request, certificate);
}

/** Undefined: another port. A promise of undefined: no certificate of an agent. */
export function certificateOf(request: object): Promise<ShownCertificate | undefined> | undefined {
  return shown.get(request);
}
