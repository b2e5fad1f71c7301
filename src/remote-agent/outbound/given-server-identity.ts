// Outbound adapter. A certificate that the operator gave as files; they are read again, since such are renewed in place.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AuthorityUnusableError } from '../domain/errors';
import type { ServerCertificate, ServerIdentity } from '../ports/server-identity';

export class GivenServerIdentity implements ServerIdentity {
  private last: ServerCertificate | undefined;

  constructor(
    private readonly certificateFile: string,
    private readonly keyFile: string,
  ) {}

  /** While a pair is being replaced, the one before stays. */
  async current(): Promise<ServerCertificate> {
    const [certificate, key] = await Promise.all([text(this.certificateFile), text(this.keyFile)]);
    if (this.last?.certificate === certificate && this.last.key === key) return this.last;
    if (fits(certificate, key)) this.last = { certificate, key };
    if (this.last === undefined) {
      throw new AuthorityUnusableError(`${this.keyFile} is not the key of the certificate in ${this.certificateFile}.`);
    }
    return this.last;
  }

  vouchers(): Promise<null> {
    return Promise.resolve(null);
  }
}

function fits(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

async function text(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new AuthorityUnusableError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
