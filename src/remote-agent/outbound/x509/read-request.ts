// Outbound, certificates. A signing request as a stranger sent it: its proof of possession and the kind of its key are
// checked, its key is taken, and nothing else.
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { CsrInvalidError, KeyTypeError } from '../../domain/errors';
import type { RequestedKey } from '../../ports/certificate-authority';
import { x509 } from './authority-certificate';

const LONGEST = 16_384;
const CURVES: readonly string[] = ['prime256v1', 'secp384r1'];
const RSA_BITS = { least: 2_048, most: 4_096 };

export async function readRequest(text: string): Promise<RequestedKey> {
  if (text.length > LONGEST) throw new CsrInvalidError(`must be at most ${LONGEST} characters`);
  if (!/-----BEGIN (NEW )?CERTIFICATE REQUEST-----/.test(text)) {
    throw new CsrInvalidError('must be a PKCS #10 request in PEM (-----BEGIN CERTIFICATE REQUEST-----)');
  }
  const request = parsed(text.replaceAll(' NEW CERTIFICATE', ' CERTIFICATE'));
  const spki = Buffer.from(request.publicKey.rawData);
  // Before the signature: that one is the work, and a strange curve has no verification at all.
  checkKind(keyOf(spki));
  const proven = await request.verify().catch(() => false);
  if (!proven) throw new CsrInvalidError('is not signed by its own key');
  return {
    spki,
    fingerprint: createHash('sha256').update(spki).digest('hex'),
    requestHash: createHash('sha256').update(Buffer.from(request.rawData)).digest('hex'),
  };
}

function parsed(text: string) {
  try {
    return new (x509().Pkcs10CertificateRequest)(text);
  } catch (error) {
    throw new CsrInvalidError('cannot be read', error);
  }
}

function keyOf(spki: Buffer): KeyObject {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' });
  } catch {
    throw new KeyTypeError('unknown');
  }
}

function checkKind(key: KeyObject): void {
  const { namedCurve, modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return;
    case 'ec':
      if (CURVES.includes(namedCurve ?? '')) return;
      throw new KeyTypeError(`EC ${namedCurve ?? 'of its own parameters'}`);
    case 'rsa': {
      const bits = modulusLength ?? 0;
      if (bits >= RSA_BITS.least && bits <= RSA_BITS.most && (publicExponent ?? 0n) >= 65_537n) return;
      throw new KeyTypeError(`RSA of ${bits} bits`);
    }
    default:
      throw new KeyTypeError(key.asymmetricKeyType ?? 'unknown');
  }
}
