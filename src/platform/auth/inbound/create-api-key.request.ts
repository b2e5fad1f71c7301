// Auth, inbound. Wire shape of POST /api/api-keys.
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
} from 'class-validator';
import { type Role, ROLES, type UserActor } from '../../../kernel/actor';
import type { CreateApiKeyInput } from '../usecases/create-api-key';

export class CreateApiKeyRequest {
  @ApiProperty({ minLength: 1, maxLength: 255, example: 'laptop', description: 'For telling keys apart.' })
  @IsString()
  @Length(1, 255)
  readonly name!: string;

  @ApiProperty({
    required: false,
    isArray: true,
    enum: ROLES,
    description: 'Of your own roles; all of them by default.',
  })
  @IsOptional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(ROLES, { each: true })
  readonly roles?: Role[] | null;

  @ApiProperty({
    required: false,
    nullable: true,
    type: 'integer',
    minimum: 1,
    maximum: 3_660,
    example: 90,
    description: 'None: until it is revoked.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3_660)
  readonly expires_in_days?: number | null;

  toInput(actor: UserActor): CreateApiKeyInput {
    return {
      tenantId: actor.tenantId,
      userId: actor.userId,
      roles: this.roles ?? actor.roles,
      name: this.name,
      ...(typeof this.expires_in_days === 'number' ? { ttlSeconds: this.expires_in_days * 86_400 } : {}),
    };
  }
}
