// Crypto. The front door: sealing secrets that are stored.
export { CryptoModule } from './crypto.module';
export { SealBrokenError, SealingKeyMissingError } from './errors';
export { SealedColumns } from './sealed-columns';
export { type SealedColumn, Sealing } from './sealing';
