// Domain. An address as an assistant's settings may give one.

/** Without a name or password in it: a secret in an address ends up in logs. */
export function isWebAddress(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    return ['https:', 'http:'].includes(protocol) && username === '' && password === '';
  } catch {
    return false;
  }
}
