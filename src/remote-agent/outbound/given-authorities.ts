// Outbound. Authorities that the operator gave as files: the first certificate signs, all of them are trusted.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AuthorityGivenError, AuthorityUnusableError } from '../domain/errors';
import type { Authority, AuthorityKeyring } from './stored-authorities';
import { belongTogether } from './x509/authority-certificate';

export class GivenAuthorities implements AuthorityKeyring {
  private constructor(private readonly authorities: readonly Authority[]) {}

  /** @throws AuthorityUnusableError naming the file, and nothing of what is in it */
  static read(certificateFile: string, keyFile: string): GivenAuthorities {
    const pems = text(certificateFile).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (pems.length === 0) throw new AuthorityUnusableError(`${certificateFile} holds no certificate in PEM.`);
    const authorities = pems.map((pem): Authority => {
      const certificate = parsed(`${pem}\n`, certificateFile);
      if (!certificate.ca) throw new AuthorityUnusableError(`${certificateFile}: a certificate in it is no authority.`);
      return { id: certificate.serialNumber, certificate: `${pem}\n`, trustedUntil: new Date(certificate.validTo) };
    });
    const [first, ...others] = authorities as [Authority, ...Authority[]];
    const signer = { certificate: first.certificate, key: privateKey(keyFile) };
    if (!belongTogether(signer)) {
      throw new AuthorityUnusableError(`${keyFile} is not the key of the first certificate in ${certificateFile}.`);
    }
    return new GivenAuthorities([{ ...first, trustedUntil: null, signer }, ...others]);
  }

  trusted(now: Date): Promise<readonly Authority[]> {
    return Promise.resolve(this.authorities.filter(({ trustedUntil }) => trustedUntil === null || trustedUntil > now));
  }

  forget(): void {
    // The files are read at the start.
  }

  rotate(): Promise<void> {
    return Promise.reject(new AuthorityGivenError());
  }
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new AuthorityUnusableError(`${file} cannot be read (${code}).`);
  }
}

function parsed(pem: string, file: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new AuthorityUnusableError(`${file} holds a certificate that cannot be read.`);
  }
}

/** RSA and the two curves: what can sign here. */
function privateKey(file: string) {
  let key;
  try {
    key = createPrivateKey(text(file));
  } catch (error) {
    if (error instanceof AuthorityUnusableError) throw error;
    throw new AuthorityUnusableError(`${file} holds no private key in PEM without a passphrase.`);
  }
  const curve = key.asymmetricKeyDetails?.namedCurve ?? '';
  if (key.asymmetricKeyType === 'rsa' || ['prime256v1', 'secp384r1'].includes(curve)) return key;
  throw new AuthorityUnusableError(`${file} must hold a key of RSA, EC P-256 or EC P-384.`);
}
