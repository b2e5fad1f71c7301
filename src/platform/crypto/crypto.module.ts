// Crypto. Where the keys come from, and the operator's door. Needs Config and Sessions from global modules.
import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import { Sessions } from '../persistence/sessions';
import { construct, provide } from '../wiring';
import { SealedColumns } from './sealed-columns';
import { SecretsController } from './secrets.controller';
import { Sealing } from './sealing';

@Global()
@Module({
  controllers: [SecretsController],
  providers: [provide(Sealing, sealing, [Config]), construct(SealedColumns, [Sealing, Sessions])],
  exports: [Sealing, SealedColumns],
})
export class CryptoModule {}

function sealing({ encryptionKey, encryptionKeysOld }: Config): Sealing {
  return new Sealing([...(encryptionKey === undefined ? [] : [encryptionKey]), ...encryptionKeysOld]);
}
