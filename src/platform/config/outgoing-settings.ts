// Platform, configuration. The settings of what leaves the house. A part of config.ts, which reads as one class.
import { type AllowedDestination, allowedDestinations } from '../http/allowed-destinations';
import { type Kind, Setting } from './setting';

const destinations: Kind<readonly AllowedDestination[]> = {
  allowed:
    'addresses, networks and names separated by commas, each address or name with or without a port, ' +
    'such as 10.0.0.0/8, hooks.internal:8080',
  parse: allowedDestinations,
};

export class OutgoingSettings {
  @Setting({
    env: 'HORARIUM_OUTBOUND_ALLOW',
    kind: destinations,
    default: { words: 'none', from: () => '' },
    group: 'Outgoing calls',
    doc: 'What may be called on behalf of users (webhooks) although it is not a public address.',
  })
  readonly outboundAllow!: readonly AllowedDestination[];
}
