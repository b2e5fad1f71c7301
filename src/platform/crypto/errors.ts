// Platform, crypto. What can go wrong with a sealed value. No message holds a key, or anything of what was sealed.
import { DomainError } from '../../kernel/domain-error';

/** Sealed under a key that this process was not given. */
export class SealingKeyMissingError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.sealing-key-missing';
  readonly hint = undefined;
  constructor(where: string, keyId: string) {
    super(
      `${where} is sealed under the key ${keyId}, which this server does not have. ` +
        'Put that key back into HORARIUM_ENCRYPTION_KEY, or beside the new one into HORARIUM_ENCRYPTION_KEYS_OLD.',
    );
  }
}

/** No key opens it: damaged, or sealed for another row or column than the one it was found in. */
export class SealBrokenError extends DomainError {
  readonly kind = 'corrupt';
  readonly code = 'platform.seal-broken';
  constructor(where: string) {
    super(`${where} cannot be unsealed: the stored value is damaged, or was moved there from another place.`);
  }
}

/** There is nothing to seal with: only where a server is made without its settings. */
export class NoSealingKeyError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.no-sealing-key';
  readonly hint = undefined;
  constructor() {
    super('Secrets cannot be stored: set HORARIUM_ENCRYPTION_KEY (`openssl rand -hex 32` makes one).');
  }
}
