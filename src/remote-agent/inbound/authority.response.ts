import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import type { AuthorityFacts } from '../usecases/manage-authority';

export class AuthorityResponse {
  @ApiProperty()
  id: string;

  @ApiProperty({ example: 'CN=Horarium agents 0192f0c4' })
  subject: string;

  @ApiProperty({ description: 'SHA-256.', example: 'AB:CD:…' })
  fingerprint: string;

  @ApiProperty({ description: 'It signs new certificates.', example: true })
  signs: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null while it signs.' })
  trusted_until: string | null;

  @ApiProperty({ type: String, format: 'date-time', example: '2036-08-01T09:00:00+00:00' })
  not_after: string;

  @ApiProperty({ description: 'PEM.' })
  certificate: string;

  constructor(facts: AuthorityFacts) {
    this.id = facts.id;
    this.subject = facts.subject;
    this.fingerprint = facts.fingerprint;
    this.signs = facts.trustedUntil === null;
    this.trusted_until = wireTimeOrNull(facts.trustedUntil);
    this.not_after = wireTime(facts.notAfter);
    this.certificate = facts.certificate;
  }
}
