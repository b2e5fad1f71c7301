// Outbound, certificates. The one place that knows how a certificate is made; the library is loaded when the first one is.
import 'reflect-metadata';
import { createHash, createPublicKey, type KeyObject, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import type { Validity } from '../../ports/certificate-authority';

type Library = typeof import('@peculiar/x509');

let loaded: Library | undefined;

export function x509(): Library {
  if (loaded === undefined) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded on demand
    loaded = require('@peculiar/x509') as Library;
    loaded.cryptoProvider.set(webcrypto as never);
  }
  return loaded;
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;
const AUTHORITY_YEARS = 10;

/** One that may sign: its certificate, and its key. */
export interface Signer {
  readonly certificate: string;
  readonly key: KeyObject;
}

/** Positive, 128 bits, and long before the end of the field. */
export function newSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes.toString('hex');
}

/** An authority of ours: it signs leaves, and no further authority. */
export async function makeAuthority(name: string, now: Date): Promise<{ certificate: string; pkcs8: Buffer }> {
  const lib = x509();
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + AUTHORITY_YEARS);
  const certificate = await lib.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: `CN=${name}`,
    notBefore: new Date(now.getTime() - 60_000),
    notAfter,
    keys,
    signingAlgorithm: SIGNING,
    extensions: [
      new lib.BasicConstraintsExtension(true, 0, true),
      new lib.KeyUsagesExtension(lib.KeyUsageFlags.keyCertSign | lib.KeyUsageFlags.cRLSign, true),
      await lib.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return { certificate: pem(certificate.toString('pem')), pkcs8 };
}

export interface Leaf extends Validity {
  readonly serial: string;
  readonly spki: Uint8Array;
  readonly commonName: string;
  readonly purpose: 'client' | 'server';
  readonly names: readonly { readonly type: 'url' | 'dns' | 'ip'; readonly value: string }[];
}

/** Everything in it is ours: of whoever asked only the key is taken. */
export async function signLeaf(signer: Signer, leaf: Leaf): Promise<string> {
  const lib = x509();
  const publicKey = new lib.PublicKey(leaf.spki);
  const usage = leaf.purpose === 'client' ? lib.ExtendedKeyUsage.clientAuth : lib.ExtendedKeyUsage.serverAuth;
  const issuer = new lib.X509Certificate(signer.certificate);
  const certificate = await lib.X509CertificateGenerator.create({
    serialNumber: leaf.serial,
    subject: new lib.Name([{ CN: [leaf.commonName] }]),
    issuer: issuer.subject,
    notBefore: leaf.notBefore,
    notAfter: leaf.notAfter,
    publicKey,
    signingKey: await signingKeyOf(signer.key),
    signingAlgorithm: signingAlgorithmOf(signer.key),
    extensions: [
      new lib.BasicConstraintsExtension(false, undefined, true),
      new lib.KeyUsagesExtension(lib.KeyUsageFlags.digitalSignature, true),
      new lib.ExtendedKeyUsageExtension([usage]),
      new lib.SubjectAlternativeNameExtension([...leaf.names]),
      await lib.SubjectKeyIdentifierExtension.create(publicKey),
      new lib.AuthorityKeyIdentifierExtension(
        issuer.getExtension(lib.SubjectKeyIdentifierExtension)?.keyId ??
          createHash('sha1').update(Buffer.from(issuer.publicKey.rawData)).digest('hex'),
      ),
    ],
  });
  return pem(certificate.toString('pem'));
}

/** A key pair for this process, and what a certificate needs of it. */
export async function newKeyPair(): Promise<{ spki: Buffer; privateKeyPem: string }> {
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const spki = Buffer.from(await webcrypto.subtle.exportKey('spki', keys.publicKey));
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const base64 = pkcs8.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return { spki, privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n` };
}

export function fingerprintOf(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256;
}

export function spkiOf(certificate: X509Certificate): Buffer {
  return certificate.publicKey.export({ type: 'spki', format: 'der' });
}

/** Of a private key: whether the certificate is its own. */
export function belongTogether({ certificate, key }: Signer): boolean {
  return new X509Certificate(certificate).publicKey.equals(createPublicKey(key));
}

const imported = new WeakMap<KeyObject, Promise<webcrypto.CryptoKey>>();

function signingKeyOf(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const known = imported.get(key);
  if (known !== undefined) return known;
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  const algorithm = key.asymmetricKeyType === 'rsa' ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } : curveOf(key);
  const made = webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  imported.set(key, made);
  return made;
}

function curveOf(key: KeyObject): { name: string; namedCurve: string } {
  return { name: 'ECDSA', namedCurve: key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'P-384' : 'P-256' };
}

function signingAlgorithmOf(key: KeyObject): { name: string; hash: string } {
  return key.asymmetricKeyType === 'rsa' ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } : SIGNING;
}

function pem(text: string): string {
  return `${text.trimEnd()}\n`;
}
