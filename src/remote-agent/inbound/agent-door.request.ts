import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

const CSR = '-----BEGIN CERTIFICATE REQUEST-----\n…\n-----END CERTIFICATE REQUEST-----\n';

export class HeartbeatRequest {
  @ApiPropertyOptional({ description: "The agent's own clock: shows how far it is off.", format: 'date-time' })
  @IsOptional()
  @IsString()
  @Matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/, {
    message: 'time must be ISO 8601 with offset',
  })
  time?: string;

  toTime(): Date | undefined {
    const time = this.time === undefined ? undefined : new Date(this.time);
    return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
  }
}

export class RenewRequest {
  @ApiProperty({ description: 'PKCS #10 in PEM, with a new key. Only the key is taken from it.', example: CSR })
  @IsString()
  @MaxLength(16_384)
  csr!: string;
}

export class EnrollRequest extends RenewRequest {
  @ApiProperty({ description: 'From POST /api/1.0/remote-agents/enrollment-tokens.', example: 'hzt_…' })
  @IsString()
  @MaxLength(200)
  token!: string;

  @ApiProperty({ description: 'For people: it may be that of another agent.', maxLength: 128, example: 'build-7' })
  @IsString()
  name!: string;

  @ApiPropertyOptional({ description: "The agent's version.", maxLength: 64, example: '0.1.0' })
  @IsOptional()
  @IsString()
  version?: string;
}

export class RecoverRequest extends RenewRequest {
  @ApiProperty({ description: 'The certificate that has ended, in PEM.' })
  @IsString()
  @MaxLength(16_384)
  certificate!: string;

  @ApiProperty({ description: 'Chosen by the agent, used once.', example: '8f14e45fceea167a5a36dedd4bea2543' })
  @Matches(/^[A-Za-z0-9_-]{16,128}$/, { message: 'nonce must be 16 to 128 of A-Z, a-z, 0-9, _ and -' })
  nonce!: string;

  @ApiProperty({
    description:
      'Base64. By the key of the certificate (SHA-256; Ed25519 as it is) over `<nonce>.<SHA-256 of the request in DER, hexadecimal>`.',
  })
  @Matches(/^[A-Za-z0-9+/]{32,2048}={0,2}$/, { message: 'signature must be base64' })
  signature!: string;
}
