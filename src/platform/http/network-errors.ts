// Platform, outgoing HTTP. What a socket, a resolver or TLS says, in words for whoever owns the address.

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name does not exist in DNS.',
  EAI_AGAIN: 'The name cannot be resolved at the moment.',
  ECONNREFUSED: 'Nobody listens there (connection refused).',
  ECONNRESET: 'The connection was broken off.',
  EPIPE: 'The connection was broken off.',
  ETIMEDOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'There is no way to that machine.',
  ENETUNREACH: 'There is no way to that network.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is signed by an authority that is not trusted here.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is signed by an authority that is not trusted here.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate is signed by an authority that is not trusted here.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'It does not speak TLS; is it http:// instead of https://?',
  EPROTO: 'It does not speak TLS; is it http:// instead of https://?',
  HPE_INVALID_CONSTANT: 'What it answers is not HTTP.',
  HPE_HEADER_OVERFLOW: 'Its answer has too long headers.',
};

export function inWords(error: unknown): string {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: unknown[] };
  // Several addresses were tried; the first failure speaks for all.
  if (code === undefined && Array.isArray(errors) && errors.length > 0) return inWords(errors[0]);
  const known = code === undefined ? undefined : WORDS[code];
  if (known !== undefined) return known;
  if (code?.startsWith('HPE_') === true) return 'What it answers is not HTTP.';
  return `The call failed: ${code ?? message ?? 'for an unknown reason'}.`;
}
