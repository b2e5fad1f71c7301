// Inbound. /socket/fill-survey: many fill a survey at once. Every event is acknowledged; what is broadcast is a hint, and
// whoever missed one joins again. Holds no rule.
import type { UserActor } from '../../kernel/actor';
import { wireTime } from '../../platform/protocol/wire-time';
import { type LeaveReason, NotJoinedError, type Peer, type SocketDoor, socketEvent } from '../../platform/sockets';
import { DraftsTooFastError, LockLostError, SessionNeededError } from '../domain/errors';
import { isHeldBy, type LockPolicy } from '../domain/lock';
import { FILL_SURVEY, roomOf } from '../domain/room';
import type { AttendSurvey } from '../usecases/attend-survey';
import type { ReleaseLock } from '../usecases/release-lock';
import type { TakeLock } from '../usecases/take-lock';
import type { WriteAnswer } from '../usecases/write-answer';
import { AnswerResponse, LockResponse } from './answer.response';
import { FILL_SURVEY_REFUSALS } from './fill-survey.refusals';
import {
  EditRequest,
  FieldOfSurveyRequest,
  HeldFieldRequest,
  JoinRequest,
  SurveyRequest,
  UpdateRequest,
} from './fill-survey.request';

/** What this process knows of a connection, so that a draft costs no question to the database. */
interface Desk {
  readonly surveys: Set<string>;
  readonly held: Map<string, { readonly fence: number; readonly until: number }>;
  drafts: number[];
}

const DRAFTS_A_SECOND = 5;
/** Made by the page; what it is made of is its own business. */
const SESSION = /^[\w-]{8,64}$/;

export class FillSurveyDoor implements SocketDoor {
  readonly name = FILL_SURVEY;
  readonly refusals = FILL_SURVEY_REFUSALS;
  readonly events = {
    join: socketEvent(JoinRequest, (peer, body) => this.join(peer, body)),
    leave: socketEvent(SurveyRequest, (peer, body) => this.leave(peer, body.survey_id)),
    editing: socketEvent(FieldOfSurveyRequest, (peer, body) => this.editing(peer, body)),
    edit: socketEvent(EditRequest, (peer, body, now) => Promise.resolve(this.edit(peer, body, now))),
    update: socketEvent(UpdateRequest, (peer, body, now) => this.update(peer, body, now)),
    endedit: socketEvent(HeldFieldRequest, (peer, body) => this.endedit(peer, body)),
  };

  private readonly desks = new WeakMap<Peer, Desk>();

  constructor(
    private readonly attend: AttendSurvey,
    private readonly takeLock: TakeLock,
    private readonly releaseLock: ReleaseLock,
    private readonly writeAnswer: WriteAnswer,
    private readonly policy: Pick<LockPolicy, 'ttlMs'>,
  ) {}

  admit(_actor: UserActor, { session }: Readonly<Record<string, unknown>>): void {
    if (typeof session !== 'string' || !SESSION.test(session)) throw new SessionNeededError();
  }

  async left(peer: Peer, reason: LeaveReason): Promise<void> {
    if (reason === 'client') for (const id of this.deskOf(peer).surveys) await this.leave(peer, id);
    await this.attend.lose(peer.id);
  }

  private async join(peer: Peer, { survey_id: id, since = 0 }: JoinRequest): Promise<object> {
    const session = sessionOf(peer);
    const line = { session, connection: peer.id };
    const desk = this.deskOf(peer);
    const entered = async (): Promise<void> => {
      desk.surveys.add(id);
      await peer.join(roomOf(id));
    };
    try {
      const { survey, answers, locks, present } = await this.attend.join(peer.actor, id, line, since, entered);
      const me = { userId: peer.actor.userId, session };
      return {
        answers: answers.map((answer) => new AnswerResponse(answer)),
        locks: locks.map((lock) => ({ ...new LockResponse(lock), mine: isHeldBy(lock, me) })),
        present: present.map((one) => ({ user: one.userId, session: one.session, field_key: one.fieldKey })),
        lock_ttl_ms: this.policy.ttlMs,
        status: survey.status,
        rev: survey.rev,
      };
    } catch (error) {
      desk.surveys.delete(id);
      await peer.leave(roomOf(id));
      throw error;
    }
  }

  private async leave(peer: Peer, id: string): Promise<void> {
    const { surveys, held } = this.deskOf(peer);
    for (const place of held.keys()) if (place.startsWith(`${id} `)) held.delete(place);
    await peer.leave(roomOf(id));
    if (surveys.delete(id)) await this.attend.leave(peer.actor, id, sessionOf(peer));
  }

  private async editing(peer: Peer, { survey_id: id, field_key: key }: FieldOfSurveyRequest): Promise<object> {
    requireJoined(peer, id);
    const { fence, expiresAt } = await this.takeLock.run(peer.actor, id, key, sessionOf(peer));
    this.deskOf(peer).held.set(`${id} ${key}`, { fence, until: expiresAt.getTime() });
    return { fence, expires_at: wireTime(expiresAt) };
  }

  /**
   * Not stored, and not asked about in the database: whether the lock is held is known from its granting. Who receives a
   * draft of somebody who is not the holder any more passes over it.
   */
  private edit(peer: Peer, { survey_id: id, field_key: key, fence, draft = null }: EditRequest, now: Date): void {
    requireJoined(peer, id);
    const desk = this.deskOf(peer);
    const held = desk.held.get(`${id} ${key}`);
    if (held?.fence !== fence || held.until <= now.getTime()) throw new LockLostError(null);
    desk.drafts = desk.drafts.filter((at) => at > now.getTime() - 1_000);
    if (desk.drafts.length >= DRAFTS_A_SECOND) throw new DraftsTooFastError();
    desk.drafts.push(now.getTime());
    const payload = { survey_id: id, field_key: key, user: peer.actor.userId, session: sessionOf(peer), draft };
    peer.broadcast(roomOf(id), 'draft', payload, { volatile: true });
  }

  private async update(peer: Peer, body: UpdateRequest, now: Date): Promise<object> {
    const { survey_id: surveyId, field_key: fieldKey, fence, value, base_version: baseVersion, op_id: opId } = body;
    requireJoined(peer, surveyId);
    const lock = { session: sessionOf(peer), fence };
    const write = { actor: peer.actor, surveyId, fieldKey, value, baseVersion, opId, lock };
    const { version, updatedAt, rev } = await this.writeAnswer.run(write, now);
    this.deskOf(peer).held.set(`${surveyId} ${fieldKey}`, { fence, until: now.getTime() + this.policy.ttlMs });
    return { version, updated_at: wireTime(updatedAt), rev };
  }

  private async endedit(
    peer: Peer,
    { survey_id: surveyId, field_key: fieldKey, fence }: HeldFieldRequest,
  ): Promise<object> {
    requireJoined(peer, surveyId);
    const desk = this.deskOf(peer);
    const place = `${surveyId} ${fieldKey}`;
    if (desk.held.get(place)?.fence === fence) desk.held.delete(place);
    const held = { surveyId, fieldKey, session: sessionOf(peer), fence };
    return { released: await this.releaseLock.run(peer.actor, held) };
  }

  private deskOf(peer: Peer): Desk {
    const desk = this.desks.get(peer) ?? { surveys: new Set(), held: new Map(), drafts: [] };
    this.desks.set(peer, desk);
    return desk;
  }
}

function sessionOf({ handshake }: Peer): string {
  return handshake['session'] as string;
}

/** The rooms are the truth of who is in: whoever was shut out is in none. */
function requireJoined(peer: Peer, surveyId: string): void {
  if (!peer.isIn(roomOf(surveyId))) throw new NotJoinedError();
}
