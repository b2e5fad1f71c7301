// Inbound. What clients send on /socket/notification.
import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { ROOM_TYPES, type RoomType } from '../domain/room';

export class RoomField {
  @IsIn(ROOM_TYPES)
  type!: RoomType;

  @IsString()
  @MinLength(1)
  @MaxLength(255)
  id!: string;
}

export class LeaveRequest {
  @IsObject()
  @ValidateNested()
  @Type(() => RoomField)
  room!: RoomField;
}

export class JoinRequest extends LeaveRequest {
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  since?: number;
}

export class ReloadRequest extends LeaveRequest {
  @IsOptional()
  @IsString()
  @MaxLength(200)
  reason?: string;

  @IsString()
  @MinLength(1)
  @MaxLength(100)
  op_id!: string;
}
