// Inbound. Notifications and preferences as they leave the house.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import type { Notification } from '../domain/notification';
import { ROOM_TYPES, roomOf } from '../domain/room';
import type { PreferenceReading } from '../usecases/set-preferences';

export class RoomResponse {
  @ApiProperty({ enum: ROOM_TYPES, example: 'user' })
  type!: string;

  @ApiProperty({ example: 'alice' })
  id!: string;
}

export class NotificationResponse {
  @ApiProperty({ example: 'note-0192f0c4a7de7c3bb1f0d2a4c6e80000' })
  id: string;

  @ApiProperty({ type: RoomResponse, description: 'Your own room, or your tenant’s.' })
  room: RoomResponse;

  @ApiProperty({ description: 'Grows by one in its room.', example: 17 })
  seq: number;

  @ApiProperty({ description: 'The fact it tells of.', example: 'run.failed' })
  kind: string;

  @ApiProperty({ example: 'Morning news failed: the agent ended with exit code 1' })
  title: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The facts; of a digest, `count` and `items`.',
    example: { task_id: 'task-0192f0c4', run_id: 'task-run-0192f0c5' },
  })
  data: Readonly<Record<string, unknown>>;

  @ApiProperty({ example: '2026-08-01T09:00:00+00:00' })
  created_at: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  read_at: string | null;

  constructor({ id, room, seq, kind, title, data, createdAt, readAt }: Notification) {
    this.id = id;
    this.room = roomOf(room);
    this.seq = seq;
    this.kind = kind;
    this.title = title;
    this.data = data;
    this.created_at = wireTime(createdAt);
    this.read_at = wireTimeOrNull(readAt);
  }
}

export class UnreadCountResponse {
  @ApiProperty({ example: 3 })
  unread!: number;
}

export class MarkedReadResponse {
  @ApiProperty({ description: 'How many were unread until now.', example: 3 })
  marked!: number;
}

export class PreferencesResponse {
  @ApiProperty({ type: Boolean, nullable: true, description: 'As you set it; null: not set here.' })
  notify_on_failure: boolean | null;

  @ApiProperty({ type: Boolean, nullable: true })
  notify_on_success: boolean | null;

  @ApiProperty({ type: Number, nullable: true })
  digest_seconds: number | null;

  @ApiProperty({
    type: 'object',
    description: 'What holds, with what is set for all tasks and by default.',
    properties: {
      notify_on_failure: { type: 'boolean' },
      notify_on_success: { type: 'boolean' },
      digest_seconds: { type: 'integer' },
    },
    example: { notify_on_failure: true, notify_on_success: false, digest_seconds: 300 },
  })
  effective: { notify_on_failure: boolean; notify_on_success: boolean; digest_seconds: number };

  constructor({ own, effective }: PreferenceReading) {
    this.notify_on_failure = own.notifyOnFailure;
    this.notify_on_success = own.notifyOnSuccess;
    this.digest_seconds = own.digestSeconds;
    this.effective = {
      notify_on_failure: effective.notifyOnFailure,
      notify_on_success: effective.notifyOnSuccess,
      digest_seconds: effective.digestSeconds,
    };
  }
}
