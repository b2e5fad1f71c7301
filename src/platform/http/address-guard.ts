// Platform, outgoing HTTP. Which addresses this house calls on behalf of people who give it a URL: public ones, and those
// that the operator has listed. Everything else would make the server a way into its own network.
import ipaddr from 'ipaddr.js';
import type { Address, AllowedDestination } from './allowed-destinations';

export interface Destination {
  /** As in the URL, without brackets. */
  readonly host: string;
  readonly port: number;
}

/**
 * They hand the machine's own credentials to whoever asks: a listed network around them is not enough, each has to be
 * listed by itself. One of them (Azure's) is even a public address.
 */
const METADATA = new Set(
  [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
  ].map((text) => ipaddr.parse(text).toNormalizedString()),
);

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

export class AddressGuard {
  constructor(private readonly allowed: readonly AllowedDestination[] = []) {}

  /** @param address one that `host` resolves to, or the host itself */
  permits(address: string, { host, port }: Destination): boolean {
    const meant = meantAddress(address);
    if (meant === undefined) return false;
    const metadata = METADATA.has(meant.toNormalizedString());
    if (!metadata && isPublic(meant)) return true;
    return this.allowed.some((entry) => {
      if (entry.port !== undefined && entry.port !== port) return false;
      if (entry.network === undefined) return !metadata && entry.name === host.toLowerCase().replace(/\.$/, '');
      const [network, length] = entry.network;
      if (network.kind() !== meant.kind() || !meant.match(network, length)) return false;
      return !metadata || length === (meant.kind() === 'ipv4' ? 32 : 128);
    });
  }
}

/** The machine at the end of it: an IPv4 address may come dressed as an IPv6 one, and NAT64 undresses it on the way. */
function meantAddress(text: string): Address | undefined {
  const bare = text.replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return undefined;
  const address = ipaddr.parse(bare);
  if (!isV6(address)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

function isV6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (!isV6(address)) return true;
  // ISATAP carries an IPv4 address of its own network in its last half.
  const isatap = address.parts[5] === 0x5efe && ((address.parts[4] ?? 0) & 0xfdff) === 0;
  return !isatap && address.match(GLOBAL_UNICAST);
}
