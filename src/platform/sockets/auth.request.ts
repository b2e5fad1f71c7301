// Platform, sockets. The one event that every namespace has: a new token for the connection that is open.
import { IsString, MaxLength, MinLength } from 'class-validator';
import { DomainError } from '../../kernel/domain-error';

export class AuthRequest {
  @IsString()
  @MinLength(1)
  @MaxLength(16_384)
  token!: string;
}

/** A connection is in the rooms of one person; for another one it has to be made anew. */
export class OtherPersonError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'socket.other-person';
  constructor() {
    super('The token is of somebody else; connect anew with it.');
  }
}

export class NotJoinedError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'socket.not-joined';
  constructor() {
    super('Join first.');
  }
}
