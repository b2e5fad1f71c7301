// Platform, configuration. The kinds of settings: what a text must look like, and the words for it.
import { isIP, isIPv4 } from 'node:net';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { zoneNameProblem } from '../../kernel/zone-name';
import type { Kind } from './setting';

export function wholeNumber(min: number, max: number): Kind<number> {
  return {
    allowed: `a whole number from ${grouped(min)} to ${grouped(max)}`,
    parse(text) {
      if (!/^-?\d{1,15}$/.test(text)) return undefined;
      const number = Number(text);
      return number >= min && number <= max ? number : undefined;
    },
  };
}

/** English grouping whatever the machine's language: this goes into the committed documentation. */
function grouped(number: number): string {
  return number.toLocaleString('en-US');
}

export function oneOf<const T extends string>(...values: readonly T[]): Kind<T> {
  return {
    allowed: values.map((value) => `\`${value}\``).join(', '),
    parse: (text) => values.find((value) => value === text),
  };
}

/** Printable text of one line. */
export function line({ min = 1, max, allowed }: { min?: number; max: number; allowed: string }): Kind<string> {
  return {
    allowed,
    parse: (text) => (text.length >= min && text.length <= max && !/\p{Cc}/u.test(text) ? text : undefined),
  };
}

/** Several of one kind, separated by commas; none at all is allowed. */
export function list<T>(kind: Kind<T>, allowed: string): Kind<readonly T[]> {
  return {
    allowed,
    parse(text) {
      const parts = text.split(',').map((part) => part.trim());
      const values = parts.filter((part) => part !== '').map((part) => kind.parse(part));
      return values.every((value) => value !== undefined) ? values : undefined;
    },
  };
}

/** What may stand in an Authorization header (RFC 6750). */
export const bearerToken: Kind<string> = {
  allowed: 'a token or an API key: letters, digits and `-._~+/=`, without blanks',
  parse: (text) => (/^[A-Za-z0-9._~+/=-]{1,16384}$/.test(text) ? text : undefined),
};

export function address(...protocols: readonly string[]): Kind<string> {
  return {
    allowed: `a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    parse(text) {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      return url !== undefined && protocols.includes(url.protocol) && text.includes('://') ? text : undefined;
    },
  };
}

/** Where people reach the house: no path, since the routes begin at the root. Without its closing slash. */
export const origin: Kind<string> = {
  allowed: 'an http:// or https:// address without path, such as https://horarium.example.org',
  parse(text) {
    const url = address('http:', 'https:').parse(text) === undefined ? undefined : new URL(text);
    return url !== undefined && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
      ? url.origin
      : undefined;
  },
};

/** Where a server is found, perhaps beneath a path of a proxy. No user in it: an address is shown, a password is not. */
export const serverAddress: Kind<string> = {
  allowed: 'an http:// or https:// address, such as https://horarium.example.org',
  parse(text) {
    const url = address('http:', 'https:').parse(text) === undefined ? undefined : new URL(text);
    if (url === undefined || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
      return undefined;
    }
    return url.origin + url.pathname.replace(/\/+$/, '');
  },
};

/** A name or an address to listen on. */
export const host: Kind<string> = {
  allowed: 'a host name or an IP address, such as 127.0.0.1, 0.0.0.0 or ::1',
  parse: (text) =>
    isIP(text) !== 0 || /^(?!-)[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*$/.test(text) ? text : undefined,
};

/** A path, made absolute against the folder that the process was started in. */
export const path: Kind<string> = {
  allowed: 'a path, absolute or from the folder that Horarium was started in',
  parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
};

export const absolutePaths: Kind<readonly string[]> = {
  allowed: `absolute paths, separated by \`${delimiter}\``,
  parse(text) {
    const paths = text.split(delimiter).filter((part) => part !== '');
    return paths.every((part) => isAbsolute(part) && !part.includes('\0'))
      ? paths.map((part) => resolve(part))
      : undefined;
  },
};

export const osUser: Kind<string> = {
  allowed: 'the name of a user of this machine other than root',
  parse: (text) => (/^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/.test(text) && text !== 'root' ? text : undefined),
};

/** The same rule as for the zone of a task: `CET`, `europe/berlin` and `+02:00` are refused. */
export const timeZone: Kind<string> = {
  allowed: 'an IANA time zone in its exact spelling, such as Europe/Berlin or UTC',
  parse: (text) => (zoneNameProblem(text) === undefined ? text : undefined),
};

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** Whose X-Forwarded-* headers are believed: a number of hops, or networks. */
export const proxies: Kind<number | readonly string[]> = {
  allowed:
    'a number of proxies from 1 to 10, or addresses and networks separated by commas, such as 10.0.0.0/8, ::1, loopback',
  parse(text) {
    if (/^\d+$/.test(text)) return wholeNumber(1, 10).parse(text);
    const networks = text.split(',').map((part) => part.trim());
    return networks.every(isNetwork) ? networks : undefined;
  },
};

/** Addresses, networks, and the names of some. */
export const networks: Kind<readonly string[]> = {
  allowed: 'addresses and networks separated by commas, such as 10.0.0.0/8, ::1, loopback',
  parse(text) {
    const parts = text.split(',').map((part) => part.trim());
    const given = parts.filter((part) => part !== '');
    return given.every(isNetwork) ? given : undefined;
  },
};

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  if (NAMED_NETWORKS.includes(text)) return true;
  if (isIP(address) === 0 || rest.length > 0) return false;
  return prefix === undefined || wholeNumber(0, isIPv4(address) ? 32 : 128).parse(prefix) !== undefined;
}
