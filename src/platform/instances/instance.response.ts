// Platform, instances. A process as operators read it, over HTTP and with `horarium instances --json` alike.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../protocol/wire-time';
import type { InstanceReading, InstanceState } from './instances';

const STATES: InstanceState[] = ['alive', 'late', 'stopped', 'replaced', 'crashed', 'silent'];

export class InstanceResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    enum: STATES,
    example: 'alive',
    description:
      '`late`: its heartbeat is missing, and it is not given up yet. Dead: `stopped` in order, `replaced` by a start on its data folder, `crashed` (its session is gone), `silent` (stopped or cut off for a minute).',
  })
  state!: InstanceState;

  @ApiProperty({ example: 'node-1' })
  host!: string;

  @ApiProperty({ example: 4711 })
  pid!: number;

  @ApiProperty({ example: '0.1.0' })
  version!: string;

  @ApiProperty({ example: '/var/lib/horarium' })
  data_folder!: string;

  @ApiProperty({ format: 'date-time' })
  started_at!: string;

  @ApiProperty({ format: 'date-time' })
  heartbeat_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it stopped, or was given up.' })
  stopped_at!: string | null;
}

export function toInstanceResponse(reading: InstanceReading): InstanceResponse {
  const { id, state, host, pid, version, dataFolder, startedAt, heartbeatAt, stoppedAt } = reading;
  return {
    id,
    state,
    host,
    pid,
    version,
    data_folder: dataFolder,
    started_at: wireTime(startedAt),
    heartbeat_at: wireTime(heartbeatAt),
    stopped_at: wireTimeOrNull(stoppedAt),
  };
}
