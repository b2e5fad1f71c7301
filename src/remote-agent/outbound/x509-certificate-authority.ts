// Outbound adapter. Signs and reads certificates. Where the authorities come from is the keyring's business.
import { verify, X509Certificate } from 'node:crypto';
import { identityUri, parseIdentity, type AgentIdentity } from '../domain/identity';
import type {
  AuthorityFacts,
  CertificateAuthority,
  RequestedKey,
  ShownCertificate,
  Signed,
  Validity,
} from '../ports/certificate-authority';
import type { Authority, AuthorityKeyring } from './stored-authorities';
import { fingerprintOf, newKeyPair, newSerial, type Signer, signLeaf } from './x509/authority-certificate';
import { readRequest } from './x509/read-request';

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const LONGEST_CERTIFICATE = 16_384;

export interface IssuedForServer {
  readonly certificate: string;
  readonly key: string;
  readonly notAfter: Date;
}

export class X509CertificateAuthority implements CertificateAuthority {
  constructor(private readonly keyring: AuthorityKeyring) {}

  readRequest(csr: string): Promise<RequestedKey> {
    return readRequest(csr);
  }

  async sign({ spki }: RequestedKey, identity: AgentIdentity, validity: Validity, now: Date): Promise<Signed> {
    const [newest] = await this.keyring.trusted(now);
    const serial = newSerial();
    const certificate = await signLeaf(signerOf(newest), {
      ...validity,
      serial,
      spki,
      commonName: identity.agentId,
      purpose: 'client',
      names: [{ type: 'url', value: identityUri(identity) }],
    });
    return { serial, certificate };
  }

  async bundle(now: Date): Promise<string> {
    return (await this.keyring.trusted(now)).map(({ certificate }) => certificate).join('');
  }

  async examine(shown: string | Uint8Array, now: Date): Promise<ShownCertificate | undefined> {
    const certificate = parsed(shown);
    if (certificate === undefined) return undefined;
    // What another authority of the same name signed looks the same until the signature is checked.
    const trusted = await this.keyring.trusted(now);
    const ours = trusted.some(({ certificate: pem }) => {
      const authority = new X509Certificate(pem);
      return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
    });
    if (!ours || certificate.ca || !certificate.keyUsage?.includes(CLIENT_AUTH)) return undefined;
    const [, uri = ''] = /^URI:(\S+)$/.exec(certificate.subjectAltName ?? '') ?? [];
    const identity = parseIdentity(uri);
    if (identity === undefined) return undefined;
    return {
      ...identity,
      serial: certificate.serialNumber.toLowerCase(),
      notBefore: new Date(certificate.validFrom),
      notAfter: new Date(certificate.validTo),
    };
  }

  proves(pem: string, text: string, signature: Uint8Array): boolean {
    const key = parsed(pem)?.publicKey;
    if (key === undefined) return false;
    try {
      return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', Buffer.from(text), key, signature);
    } catch {
      return false;
    }
  }

  forget(): void {
    this.keyring.forget();
  }

  async all(now: Date): Promise<AuthorityFacts[]> {
    return (await this.keyring.trusted(now)).map(toFacts);
  }

  async rotate(now: Date, trustedUntil: Date): Promise<AuthorityFacts[]> {
    await this.keyring.rotate(now, trustedUntil);
    return this.all(now);
  }

  /**
   * For the listener. Signed by the oldest that can: an agent that was away during a rotation knows only that one, and
   * hears of the newer one when it renews.
   */
  async serverCertificate(names: readonly string[], validity: Validity, now: Date): Promise<IssuedForServer> {
    const oldest = (await this.keyring.trusted(now)).findLast(({ signer }) => signer !== undefined);
    const { spki, privateKeyPem } = await newKeyPair();
    const certificate = await signLeaf(signerOf(oldest), {
      ...validity,
      serial: newSerial(),
      spki,
      commonName: 'Horarium agents’ door',
      purpose: 'server',
      names: names.map((value) => ({ type: isAddress(value) ? 'ip' : 'dns', value })),
    });
    return { certificate, key: privateKeyPem, notAfter: validity.notAfter };
  }
}

function isAddress(name: string): boolean {
  return /^[\d.]+$/.test(name) || name.includes(':');
}

function signerOf(authority: Authority | undefined): Signer {
  if (authority?.signer === undefined) throw new Error('no authority has a key to sign with');
  return authority.signer;
}

function parsed(shown: string | Uint8Array): X509Certificate | undefined {
  if (shown.length > LONGEST_CERTIFICATE) return undefined;
  try {
    return new X509Certificate(shown);
  } catch {
    return undefined;
  }
}

function toFacts({ id, certificate, trustedUntil }: Authority): AuthorityFacts {
  const { subject, validTo } = new X509Certificate(certificate);
  return {
    id,
    certificate,
    trustedUntil,
    subject: subject.replaceAll('\n', ', '),
    fingerprint: fingerprintOf(certificate),
    notAfter: new Date(validTo),
  };
}
