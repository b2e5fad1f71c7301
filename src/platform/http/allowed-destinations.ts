// Platform, outgoing HTTP. What an operator may write into HORARIUM_OUTBOUND_ALLOW: addresses, networks and names, each
// with or without a port, which may be called although they are not public.
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export interface AllowedDestination {
  /** A name as in the URL: whatever it resolves to. Or a network; a single address is one of full length. */
  readonly name?: string;
  readonly network?: readonly [Address, number];
  /** None: every port. */
  readonly port?: number;
}

const NAME = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

/** Undefined for a text that is no such list. */
export function allowedDestinations(text: string): AllowedDestination[] | undefined {
  const entries = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(destination);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function destination(text: string): AllowedDestination | undefined {
  if (text.includes('/')) {
    return ipaddr.isValidCIDR(text) ? { network: ipaddr.parseCIDR(text) } : undefined;
  }
  if (ipaddr.isValid(text) && (text.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(text))) {
    return { network: single(text) };
  }
  const [, bracketed, bare, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  const withPort = port === undefined ? {} : { port };
  const address = bracketed ?? bare ?? '';
  if (bracketed !== undefined ? ipaddr.IPv6.isValid(address) : ipaddr.IPv4.isValidFourPartDecimal(address)) {
    return { network: single(address), ...withPort };
  }
  const name = address.toLowerCase();
  // Digits and dots alone are meant as an address, and are none.
  return bracketed === undefined && NAME.test(name) && !/^[\d.]+$/.test(name) ? { name, ...withPort } : undefined;
}

function single(text: string): readonly [Address, number] {
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
