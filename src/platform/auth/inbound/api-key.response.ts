// Auth, inbound. What of a key may leave the house.
import { ApiProperty } from '@nestjs/swagger';
import { ROLES } from '../../../kernel/actor';
import { wireTime, wireTimeOrNull } from '../../protocol/wire-time';
import type { ApiKey } from '../domain/api-key';

const MOMENT = '2026-08-01T09:00:00+00:00';

export class ApiKeyResponse {
  @ApiProperty({ example: 'key-019870c2f3a47c1e8a5b0d6f2e4c9b71' })
  readonly id: string;

  @ApiProperty({ example: 'laptop' })
  readonly name: string;

  @ApiProperty({ isArray: true, enum: ROLES })
  readonly roles: readonly string[];

  @ApiProperty({ example: MOMENT })
  readonly created_at: string;

  @ApiProperty({ type: String, nullable: true, example: MOMENT, description: 'null: never.' })
  readonly expires_at: string | null;

  @ApiProperty({ type: String, nullable: true, example: MOMENT, description: 'To within a minute. null: not yet.' })
  readonly last_used_at: string | null;

  constructor(key: ApiKey) {
    this.id = key.id;
    this.name = key.name;
    this.roles = key.roles;
    this.created_at = wireTime(key.createdAt);
    this.expires_at = wireTimeOrNull(key.expiresAt);
    this.last_used_at = wireTimeOrNull(key.lastUsedAt);
  }
}

export class CreatedApiKeyResponse extends ApiKeyResponse {
  @ApiProperty({ example: 'hk_…', description: 'The key itself. It is shown this once.' })
  readonly key: string;

  constructor(apiKey: ApiKey, key: string) {
    super(apiKey);
    this.key = key;
  }
}

export class RevokedApiKeyResponse {
  @ApiProperty({ example: 'key-019870c2f3a47c1e8a5b0d6f2e4c9b71' })
  readonly id: string;

  @ApiProperty({ example: true })
  readonly revoked: boolean = true;

  constructor({ id }: ApiKey) {
    this.id = id;
  }
}
