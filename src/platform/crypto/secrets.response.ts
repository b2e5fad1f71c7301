// Platform, crypto. What operators may know of stored secrets: how many there are, and under which key.
import { ApiProperty } from '@nestjs/swagger';
import type { Resealed, SealedCount } from './sealed-columns';
import type { Sealing } from './sealing';

const KEY = { example: '5f2b9c0d41a7e836', description: 'Names a key and tells nothing of it.' } as const;

export class SealedCountResponse {
  @ApiProperty({ example: 'agent_authorities' })
  table!: string;

  @ApiProperty({ example: 'private_key' })
  column!: string;

  @ApiProperty(KEY)
  key_id!: string;

  @ApiProperty({ description: 'This server has the key.', example: true })
  readable!: boolean;

  @ApiProperty({ example: 2 })
  values!: number;
}

export class SecretsResponse {
  @ApiProperty({ ...KEY, type: String, nullable: true, description: 'The key that new secrets are sealed with.' })
  current_key_id!: string | null;

  @ApiProperty({ type: [String], description: 'The keys that this server has.', example: ['5f2b9c0d41a7e836'] })
  key_ids!: string[];

  @ApiProperty({ type: [SealedCountResponse] })
  sealed!: SealedCountResponse[];

  constructor(sealing: Sealing, counts: readonly SealedCount[]) {
    this.current_key_id = sealing.currentKeyId ?? null;
    this.key_ids = [...sealing.keyIds];
    this.sealed = counts.map(({ table, column, keyId, values }) => ({
      table,
      column,
      key_id: keyId,
      readable: sealing.keyIds.includes(keyId),
      values,
    }));
  }
}

export class ResealedColumnResponse {
  @ApiProperty({ example: 'agent_authorities' })
  table!: string;

  @ApiProperty({ example: 'private_key' })
  column!: string;

  @ApiProperty({ description: 'How many were sealed anew.', example: 2 })
  values!: number;
}

export class ResealedResponse {
  @ApiProperty({ ...KEY, type: String, nullable: true, description: 'The key that all of them are under now.' })
  current_key_id!: string | null;

  @ApiProperty({ type: [ResealedColumnResponse] })
  resealed!: ResealedColumnResponse[];

  constructor(sealing: Sealing, resealed: readonly Resealed[]) {
    this.current_key_id = sealing.currentKeyId ?? null;
    this.resealed = resealed.map((one) => ({ ...one }));
  }
}
