// Auth, inbound. The one guard of the HTTP doors. Sockets and agent tools have their own first step, which calls the
// same use case.
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Role } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { NotSignedInError, RoleRequiredError } from '../domain/errors';
import { Authenticate } from '../usecases/authenticate';
import { IS_PUBLIC, rememberActor, REQUIRED_ROLES } from './door';

@Injectable()
export class IdentityGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticate: Authenticate,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, places) === true) return true;

    const request = context.switchToHttp().getRequest<Request>();
    const credential = credentialOf(request);
    if (credential === undefined) throw new NotSignedInError();
    const actor = await this.authenticate.run(credential, this.clock.now());

    const roles = this.reflector.getAllAndOverride<readonly Role[] | undefined>(REQUIRED_ROLES, places) ?? [];
    if (roles.length > 0 && !roles.some((role) => actor.roles.includes(role))) throw new RoleRequiredError(roles);
    rememberActor(request, actor);
    return true;
  }
}

/** `Authorization: Bearer …`, or an API key as `X-API-Key`. Never from the address: addresses are logged everywhere. */
function credentialOf(request: Request): string | undefined {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(request.get('Authorization') ?? '') ?? [];
  return bearer ?? request.get('X-API-Key');
}
