// Auth, inbound. What controllers say about who may come in. Without a word: everyone who is signed in.
import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Role, UserActor } from '../../../kernel/actor';
import { PUBLIC_OPERATION } from '../../protocol/openapi';
import { NotSignedInError } from '../domain/errors';

export const IS_PUBLIC = Symbol('public door');
export const REQUIRED_ROLES = Symbol('required roles');

/** Open to everyone, signed in or not. */
export function Public(): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(IS_PUBLIC, true), ApiExtension(PUBLIC_OPERATION, true));
}

/** Open to those who have one of these roles. */
export function RequireRole(...roles: readonly Role[]): MethodDecorator & ClassDecorator {
  return SetMetadata(REQUIRED_ROLES, roles);
}

const actors = new WeakMap<object, UserActor>();

export function rememberActor(request: object, actor: UserActor): void {
  actors.set(request, actor);
}

export function actorOf(request: object): UserActor | undefined {
  return actors.get(request);
}

/** Who asks. The only way that a controller learns of it: identity is never a field of a request. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): UserActor => {
  const actor = actorOf(context.switchToHttp().getRequest<object>());
  if (actor === undefined) throw new NotSignedInError();
  return actor;
});
