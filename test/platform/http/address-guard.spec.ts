// Which addresses may be called on behalf of users. The list of what is not public is the point of it.
import { AddressGuard } from '../../../src/platform/http/address-guard';
import { allowedDestinations } from '../../../src/platform/http/allowed-destinations';

const nothingListed = new AddressGuard();
const to = (host = 'example.org', port = 443) => ({ host, port });
const listed = (text: string): AddressGuard => new AddressGuard(allowedDestinations(text) ?? fail(text));
const fail = (text: string): never => {
  throw new Error(`no list: ${text}`);
};

describe('without a list', () => {
  it.each(['93.184.215.14', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    '%s is called',
    (ip) => {
      expect(nothingListed.permits(ip, to())).toBe(true);
    },
  );

  it.each([
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback, elsewhere', '127.255.3.4'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['link-local', '169.254.1.1'],
    ['metadata', '169.254.169.254'],
    ['metadata on a public address', '168.63.129.16'],
    ['metadata', '100.100.100.200'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['protocol assignments', '192.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['benchmarking', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['v6 unspecified', '::'],
    ['v6 loopback', '::1'],
    ['v6 unique local', 'fd00::1'],
    ['v6 link-local', 'fe80::1'],
    ['v6 link-local with a zone', 'fe80::1%eth0'],
    ['v6 site-local', 'fec0::1'],
    ['v6 multicast', 'ff02::1'],
    ['v6 metadata', 'fd00:ec2::254'],
    ['v6 documentation', '2001:db8::1'],
    ['v6 discard', '100::1'],
    ['v6 not handed out', '4000::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hexadecimal', '::ffff:7f00:1'],
    ['mapped private', '::ffff:10.0.0.1'],
    ['mapped metadata', '::ffff:a9fe:a9fe'],
    ['compatible loopback', '::127.0.0.1'],
    ['translated loopback', '::ffff:0:127.0.0.1'],
    ['NAT64 loopback', '64:ff9b::7f00:1'],
    ['NAT64 private', '64:ff9b::10.0.0.1'],
    ['NAT64 metadata', '64:ff9b::169.254.169.254'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4 around private', '2002:0a00:0001::1'],
    ['Teredo', '2001:0:a00:1::1'],
    ['ISATAP around private', '2606:4700::5efe:10.0.0.1'],
    ['nothing at all', ''],
    ['no address', 'localhost'],
  ])('%s (%s) is not', (_what, ip) => {
    expect(nothingListed.permits(ip, to())).toBe(false);
  });
});

describe('what the operator lists', () => {
  it('an address, on every port', () => {
    expect(listed('10.1.2.3').permits('10.1.2.3', to('a', 1))).toBe(true);
    expect(listed('10.1.2.3').permits('10.1.2.4', to('a', 1))).toBe(false);
  });

  it('an address with a port, on this port', () => {
    const guard = listed('127.0.0.1:8080, [fd00::1]:8443');
    expect(guard.permits('127.0.0.1', to('a', 8080))).toBe(true);
    expect(guard.permits('127.0.0.1', to('a', 8081))).toBe(false);
    expect(guard.permits('fd00::1', to('a', 8443))).toBe(true);
    expect(guard.permits('fd00::1', to('a', 443))).toBe(false);
  });

  it('a network, also in the clothes of IPv6', () => {
    const guard = listed('10.0.0.0/8,fd00::/8');
    for (const ip of ['10.9.8.7', '::ffff:10.9.8.7', '64:ff9b::10.9.8.7', 'fd12::1']) {
      expect([ip, guard.permits(ip, to())]).toEqual([ip, true]);
    }
    expect(guard.permits('192.168.0.1', to())).toBe(false);
  });

  it('a name, wherever it resolves to, and no other name that resolves to the same', () => {
    const guard = listed('hooks.internal:8080');
    expect(guard.permits('10.0.0.5', to('hooks.internal', 8080))).toBe(true);
    expect(guard.permits('10.0.0.5', to('HOOKS.internal.', 8080))).toBe(true);
    expect(guard.permits('10.0.0.5', to('hooks.internal', 80))).toBe(false);
    expect(guard.permits('10.0.0.5', to('evil.example', 8080))).toBe(false);
  });

  it('does not open metadata by a network or a name around it, only by itself', () => {
    expect(listed('169.254.0.0/16, 168.0.0.0/8').permits('169.254.169.254', to())).toBe(false);
    expect(listed('example.org').permits('169.254.169.254', to())).toBe(false);
    expect(listed('169.254.169.254').permits('169.254.169.254', to())).toBe(true);
  });

  it.each(['10.0.0.0/33', '300.1.1.1', '10.1', 'a b', 'http://x', 'x:0', 'x:70000', '[10.0.0.1]:5', '-x', '*'])(
    '%s is no entry',
    (text) => expect(allowedDestinations(text)).toBeUndefined(),
  );

  it('an empty list is none', () => expect(allowedDestinations(' , ')).toEqual([]));
});
