// Survey-collaboration. Where port meets adapter. Needs Config, Sessions, Clock and Ids from global modules.
import { type BeforeApplicationShutdown, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { Ids } from '../kernel/ids';
import { token } from '../kernel/token';
import { Config } from '../platform/config/config';
import { Sessions } from '../platform/persistence/sessions';
import { WakeChannel } from '../platform/persistence/wake-channel';
import { Sockets } from '../platform/sockets';
import { bind, construct, provide } from '../platform/wiring';
import type { LockPolicy } from './domain/lock';
import { FILL_SURVEY } from './domain/room';
import { AnswersController } from './inbound/answers.controller';
import { FillSurveyDoor } from './inbound/fill-survey.door';
import { SurveyPageController } from './inbound/survey-page.controller';
import { SurveysController } from './inbound/surveys.controller';
import { ChannelAbandonedWatch } from './outbound/channel-abandoned-watch';
import { SocketSurveyRoom } from './outbound/socket-survey-room';
import { SqlAnswerBook } from './outbound/sql-answer-book';
import { SqlLockBook } from './outbound/sql-lock-book';
import { SqlPresenceBook } from './outbound/sql-presence-book';
import { SqlSurveyRepository } from './outbound/sql-survey-repository';
import { AbandonedWatch } from './ports/abandoned-watch';
import { AnswerBook } from './ports/answer-book';
import { LockBook } from './ports/lock-book';
import { PresenceBook } from './ports/presence-book';
import { SurveyRepository } from './ports/survey-repository';
import { SurveyRoom } from './ports/survey-room';
import { AttendSurvey } from './usecases/attend-survey';
import { ChangeSurvey } from './usecases/change-survey';
import { CreateSurvey } from './usecases/create-survey';
import { DeleteSurvey } from './usecases/delete-survey';
import { EndAbandoned } from './usecases/end-abandoned';
import { ReadSurveys } from './usecases/read-surveys';
import { ReleaseLock } from './usecases/release-lock';
import { TakeLock } from './usecases/take-lock';
import { UnlockField } from './usecases/unlock-field';
import { WriteAnswer } from './usecases/write-answer';

/** An answer waits this long at most for company in its transaction. */
const BATCH = { windowMs: 2, max: 200 };
/** A page that lost its connection is usually back sooner. */
const GRACE_MS = 5_000;
const PRESENCE_TTL_MS = 30_000;

const Policy = token<LockPolicy>('LockPolicy');

@Module({
  controllers: [SurveysController, AnswersController, SurveyPageController],
  providers: [
    provide(Policy, policyOf, [Config]),
    bind(SurveyRepository, SqlSurveyRepository, [Sessions]),
    provide(AnswerBook, (sessions: Sessions, policy: LockPolicy) => new SqlAnswerBook(sessions, policy, BATCH), [
      Sessions,
      Policy,
    ]),
    bind(LockBook, SqlLockBook, [Sessions, Policy]),
    bind(PresenceBook, SqlPresenceBook, [Sessions, Policy]),
    provide(SurveyRoom, (sockets: Sockets) => new SocketSurveyRoom(sockets.doorway(FILL_SURVEY)), [Sockets]),
    bind(AbandonedWatch, ChannelAbandonedWatch, [WakeChannel]),
    construct(FillSurveyDoor, [AttendSurvey, TakeLock, ReleaseLock, WriteAnswer, Policy]),
    construct(CreateSurvey, [SurveyRepository, Ids]),
    construct(ReadSurveys, [SurveyRepository, AnswerBook, LockBook]),
    construct(ChangeSurvey, [SurveyRepository, LockBook, PresenceBook, SurveyRoom]),
    construct(DeleteSurvey, [SurveyRepository, SurveyRoom]),
    construct(WriteAnswer, [AnswerBook, SurveyRoom]),
    construct(TakeLock, [SurveyRepository, LockBook, SurveyRoom]),
    construct(ReleaseLock, [LockBook, SurveyRoom]),
    construct(UnlockField, [SurveyRepository, LockBook, SurveyRoom]),
    construct(AttendSurvey, [SurveyRepository, AnswerBook, LockBook, PresenceBook, SurveyRoom, AbandonedWatch]),
    construct(EndAbandoned, [LockBook, PresenceBook, SurveyRoom, AttendSurvey, Policy]),
  ],
  exports: [EndAbandoned, AttendSurvey],
})
export class SurveyCollaborationModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(
    private readonly sockets: Sockets,
    private readonly door: FillSurveyDoor,
    @Inject(AnswerBook) private readonly answers: AnswerBook,
  ) {}

  onModuleInit(): void {
    this.sockets.open(this.door);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.answers.drain();
  }
}

function policyOf({ surveyLockTtlSeconds }: Config): LockPolicy {
  const ttlMs = surveyLockTtlSeconds * 1_000;
  return { ttlMs, graceMs: Math.min(GRACE_MS, ttlMs), presenceTtlMs: PRESENCE_TTL_MS };
}
