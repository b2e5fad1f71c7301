// Inbound. What agents are answered, on their own port and at the enrolment.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime } from '../../platform/protocol/wire-time';
import type { IssuedCertificate } from '../usecases/issue-certificate';
import type { HeartbeatAnswer } from '../usecases/record-heartbeat';

const TIME = { type: String, format: 'date-time', example: '2026-08-08T09:00:00+00:00' } as const;

export class HeartbeatResponse {
  readonly server_time: string;
  /** When to speak again: with its jitter, so that agents need none of their own. */
  readonly next_heartbeat_sec: number;
  /** Over how many seconds to spread when the server was away. */
  readonly reconnect_spread_sec: number;
  readonly renew: boolean;

  constructor(answer: HeartbeatAnswer) {
    this.server_time = wireTime(answer.serverTime);
    this.next_heartbeat_sec = answer.nextHeartbeatSeconds;
    this.reconnect_spread_sec = answer.reconnectSpreadSeconds;
    this.renew = answer.renew;
  }
}

/** Where agents find their port, and how they know it. */
export interface Whereabouts {
  readonly url: string;
  readonly vouchers: string | null;
  readonly heartbeatIntervalSeconds: number;
}

export class CertificateResponse {
  @ApiProperty({ format: 'uuid' })
  agent_id: string;

  @ApiProperty({ description: 'PEM.' })
  certificate: string;

  @ApiProperty({ description: 'PEM of the authorities for agents: two while one is being replaced.' })
  ca_bundle: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Whom the port for agents is known by, PEM. Null: by those that every machine trusts.',
  })
  server_ca_bundle: string | null;

  @ApiProperty(TIME)
  not_after: string;

  @ApiProperty({ ...TIME, description: 'From then on: POST /agent/v1/renew, with a new key.' })
  renew_after: string;

  @ApiProperty({ description: 'The port for agents.', example: 'https://horarium.example.org:8443' })
  agent_url: string;

  @ApiProperty({ example: 'https://horarium.example.org:8443/agent/v1/heartbeat' })
  heartbeat_url: string;

  @ApiProperty({ example: 30 })
  heartbeat_interval_sec: number;

  constructor(issued: IssuedCertificate, { url, vouchers, heartbeatIntervalSeconds }: Whereabouts) {
    this.agent_id = issued.agentId;
    this.certificate = issued.certificate;
    this.ca_bundle = issued.bundle;
    this.server_ca_bundle = vouchers;
    this.not_after = wireTime(issued.notAfter);
    this.renew_after = wireTime(issued.renewAfter);
    this.agent_url = url;
    this.heartbeat_url = `${url}/agent/v1/heartbeat`;
    this.heartbeat_interval_sec = heartbeatIntervalSeconds;
  }
}
