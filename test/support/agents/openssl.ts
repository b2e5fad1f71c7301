// Test support. Real clients for the port of remote agents: openssl makes keys and requests, curl and openssl connect.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Identity {
  readonly keyFile: string;
  readonly certFile: string;
}

export interface CurlAnswer {
  /** 0: no answer came. */
  readonly status: number;
  readonly body: Record<string, unknown>;
  /** curl's own exit code. */
  readonly exit: number;
  readonly error: string;
}

export const KEY_KINDS = {
  p256: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  p384: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  ed25519: ['-algorithm', 'ED25519'],
  rsa2048: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  rsa1024: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
  secp256k1: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
} as const;
export type KeyKind = keyof typeof KEY_KINDS;

export class OpensslFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'horarium-openssl-'));
  private made = 0;

  run(...args: readonly string[]): Buffer {
    return execFileSync('openssl', args, { cwd: this.path, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  write(text: string | Uint8Array): string {
    const file = join(this.path, `file-${++this.made}.pem`);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }

  key(kind: KeyKind = 'p256'): string {
    const file = join(this.path, `key-${++this.made}.pem`);
    this.run('genpkey', ...KEY_KINDS[kind], '-out', file);
    return file;
  }

  /** @param more for example `-addext` with what a stranger would like to have in the certificate */
  csr(keyFile: string, subject = '/CN=whatever', more: readonly string[] = []): string {
    return this.run('req', '-new', '-key', keyFile, '-subj', subject, ...more).toString();
  }

  text(certificate: string): string {
    return this.run('x509', '-in', this.write(certificate), '-noout', '-text').toString();
  }

  /** A foreign authority, and a certificate by it that says what ours say. */
  foreign(subject: string, extensions: readonly string[], days = '30'): Identity & { readonly ca: string } {
    const caKey = this.key();
    const ca = join(this.path, `ca-${++this.made}.pem`);
    this.run('req', '-x509', '-new', '-key', caKey, '-subj', subject, '-days', '30', '-out', ca);
    const keyFile = this.key();
    const request = this.write(this.csr(keyFile));
    const ext = this.write(`${extensions.join('\n')}\n`);
    const certFile = join(this.path, `cert-${++this.made}.pem`);
    const signing = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-days', days, '-extfile', ext];
    this.run('x509', '-req', '-in', request, ...signing, '-out', certFile);
    return { keyFile, certFile, ca: readFileSync(ca, 'utf8') };
  }

  sign(keyFile: string, text: string): string {
    return this.run('dgst', '-sha256', '-sign', keyFile, this.write(text)).toString('base64');
  }

  close(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface CurlOptions {
  readonly ca: string;
  readonly identity?: Identity;
  readonly body?: object;
  readonly headers?: readonly string[];
  readonly more?: readonly string[];
}

export async function curl(
  url: string,
  { ca, identity, body, headers = [], more = [] }: CurlOptions,
): Promise<CurlAnswer> {
  const args = ['-sS', '--max-time', '20', '--cacert', ca, '-w', '\n%{http_code}', ...more];
  if (identity !== undefined) args.push('--cert', identity.certFile, '--key', identity.keyFile);
  if (body !== undefined) args.push('-H', 'Content-Type: application/json', '--data-binary', JSON.stringify(body));
  for (const header of headers) args.push('-H', header);
  return new Promise((resolve) => {
    execFile('curl', [...args, url], (error, stdout, stderr) => {
      const lines = stdout.trimEnd().split('\n');
      const status = Number(lines.pop() ?? '0');
      const text = lines.join('\n');
      const exit = typeof error?.code === 'number' ? error.code : 0;
      resolve({ status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>), exit, error: stderr });
    });
  });
}
