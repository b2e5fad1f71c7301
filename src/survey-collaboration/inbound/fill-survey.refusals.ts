// Inbound. Refusals that the socket says in words of its own, with what a page needs to go on.
import type { DomainError } from '../../kernel/domain-error';
import type { SocketRefusals } from '../../platform/protocol/socket-errors';
import { wireTime } from '../../platform/protocol/wire-time';
import { type AnswerConflictError, type FieldLockedError, type LockLostError } from '../domain/errors';
import type { LockHolder } from '../domain/lock';
import { AnswerResponse } from './answer.response';

export const FILL_SURVEY_REFUSALS: SocketRefusals = {
  'survey-collaboration.locked': (error: DomainError) => {
    const { holder, expiresAt } = error as FieldLockedError;
    return { code: 'locked', holder: shown(holder), expires_at: wireTime(expiresAt) };
  },
  'survey-collaboration.lock-lost': (error: DomainError) => {
    const { holder } = error as LockLostError;
    return { code: 'lock_lost', ...(holder === null ? {} : { holder: shown(holder) }) };
  },
  'survey-collaboration.conflict': (error: DomainError) => {
    const { current } = error as AnswerConflictError;
    return { code: 'conflict', current: current === null ? null : new AnswerResponse(current) };
  },
  'socket.not-joined': () => ({ code: 'not_joined' }),
};

function shown({ userId, session }: LockHolder): object {
  return { user: userId, session };
}
