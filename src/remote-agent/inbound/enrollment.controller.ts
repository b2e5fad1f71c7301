// Inbound. The first step of an agent, and its way back: on the ordinary port, since it has no certificate (any more).
import { Body, Controller, Inject, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Clock } from '../../kernel/clock';
import { Public } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { DoorWhereabouts } from '../usecases/door-whereabouts';
import { EnrollAgent } from '../usecases/enroll-agent';
import { RenewCertificate } from '../usecases/renew-certificate';
import { EnrollRequest, RecoverRequest } from './agent-door.request';
import { CertificateResponse } from './agent-door.response';
import { CSR_INVALID, LISTENER_OFF, PROOF_INVALID, TOKEN_INVALID, TOKEN_USED, TOO_MANY } from './problems';

@ApiTags('Remote agents')
@Public()
@Controller('1.0/remote-agents')
export class EnrollmentController {
  constructor(
    private readonly enrollAgent: EnrollAgent,
    private readonly renewal: RenewCertificate,
    private readonly whereabouts: DoorWhereabouts,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post('enroll')
  @ApiOperation({
    summary: 'Enrol a machine',
    description:
      'With a token, for as many keys as it was made for. Of the request only the public key is taken (EC P-256 or ' +
      'P-384, Ed25519, RSA of 2048 to 4096 bits). The same key again is answered again: answers get lost.',
  })
  @ApiCreatedResponse({ type: CertificateResponse })
  @ApiProblems(400, 413, 415, 503, CSR_INVALID, TOKEN_INVALID, TOKEN_USED, LISTENER_OFF, TOO_MANY)
  async enroll(@Req() { ip = '' }: Request, @Body() request: EnrollRequest): Promise<CertificateResponse> {
    const now = this.clock.now();
    this.whereabouts.require();
    const { token, csr, name, version } = request;
    const issued = await this.enrollAgent.run({ token, csr, name, address: ip, ...(version && { version }) }, now);
    return new CertificateResponse(issued, await this.whereabouts.read(now));
  }

  @Post('recover')
  @ApiOperation({
    summary: 'A new certificate for one that has ended',
    description: 'For an agent that slept through its renewal and still has its key.',
  })
  @ApiCreatedResponse({ type: CertificateResponse })
  @ApiProblems(400, 401, 413, 415, 503, CSR_INVALID, PROOF_INVALID, LISTENER_OFF, TOO_MANY)
  async recover(@Req() { ip = '' }: Request, @Body() request: RecoverRequest): Promise<CertificateResponse> {
    const now = this.clock.now();
    this.whereabouts.require();
    const { certificate, csr, nonce, signature } = request;
    const proof = { certificate, csr, nonce, signature: Buffer.from(signature, 'base64'), address: ip };
    const issued = await this.renewal.recover(proof, now);
    return new CertificateResponse(issued, await this.whereabouts.read(now));
  }
}
