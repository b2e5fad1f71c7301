// Outbound adapter. Keys on the curve P-256, and requests for them.
import 'reflect-metadata';
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  webcrypto,
} from 'node:crypto';
import type { Keys } from '../ports/keys';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

export class P256Keys implements Keys {
  make(): Promise<string> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    return Promise.resolve(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  }

  async request(key: string): Promise<string> {
    const x509 = await import('@peculiar/x509');
    x509.cryptoProvider.set(webcrypto as never);
    const privateKey = createPrivateKey(key);
    const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
    const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
    const keys = {
      privateKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, true, ['sign']),
      publicKey: await webcrypto.subtle.importKey('spki', spki, ALGORITHM, true, ['verify']),
    };
    const request = await x509.Pkcs10CertificateRequestGenerator.create({
      name: 'CN=horarium agent',
      keys,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    });
    return `${request.toString('pem').trimEnd()}\n`;
  }

  prove(key: string, request: string): { nonce: string; signature: string } {
    const nonce = randomBytes(24).toString('base64url');
    const der = Buffer.from(request.replace(/-----[^-]+-----|\s/g, ''), 'base64');
    const text = `${nonce}.${createHash('sha256').update(der).digest('hex')}`;
    return { nonce, signature: sign('sha256', Buffer.from(text), key).toString('base64') };
  }
}
