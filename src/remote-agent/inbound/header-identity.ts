// Inbound. A client certificate that a proxy hands on in a header: as RFC 9440 says (`:base64 of DER:`), or PEM,
// URL-encoded. What it is worth is found out as for any other: a proxy's word is not enough.

const LONGEST = 16_384;

export function certificateInHeader(value: string | string[] | undefined): string | Buffer | undefined {
  // Twice: one of them is not the proxy's.
  if (typeof value !== 'string' || value.length > LONGEST) return undefined;
  const [, base64] = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(value.trim()) ?? [];
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  try {
    const pem = decodeURIComponent(value.trim());
    return pem.startsWith('-----BEGIN CERTIFICATE-----') ? pem : undefined;
  } catch {
    return undefined;
  }
}

/** Headers that tell of a client certificate: nobody but the proxy in front of us may. */
export const IDENTITY_HEADERS = ['client-cert', 'client-cert-chain', 'x-client-cert', 'x-ssl-client-cert'] as const;
