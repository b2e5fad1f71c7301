// Inbound. The guard of the agents' addresses. Not the port alone decides: certificate, row and status are looked at for
// every request.
import { type CanActivate, createParamDecorator, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { NoCertificateError, WrongListenerError } from '../domain/errors';
import { type AgentActor, AuthenticateAgent } from '../usecases/authenticate-agent';
import { certificateOf } from './agent-connections';

const agents = new WeakMap<object, AgentActor>();

@Injectable()
export class AgentGuard implements CanActivate {
  constructor(
    private readonly authentication: AuthenticateAgent,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<object>();
    const certificate = certificateOf(request);
    if (certificate === undefined) throw new WrongListenerError();
    const shown = await certificate;
    if (shown === undefined) throw new NoCertificateError();
    agents.set(request, await this.authentication.run(shown, this.clock.now()));
    return true;
  }
}

/** The agent that asks: identity is never a field of a request. */
export const CurrentAgent = createParamDecorator((_: unknown, context: ExecutionContext): AgentActor => {
  const agent = agents.get(context.switchToHttp().getRequest<object>());
  if (agent === undefined) throw new WrongListenerError();
  return agent;
});
