// Test support. The use cases of surveys, on books in memory, a room that notes, and a clock that the test sets.
import { AttendSurvey, type Line } from '../../../src/survey-collaboration/usecases/attend-survey';
import { ChangeSurvey } from '../../../src/survey-collaboration/usecases/change-survey';
import { DeleteSurvey } from '../../../src/survey-collaboration/usecases/delete-survey';
import { EndAbandoned } from '../../../src/survey-collaboration/usecases/end-abandoned';
import { ReadSurveys } from '../../../src/survey-collaboration/usecases/read-surveys';
import { ReleaseLock } from '../../../src/survey-collaboration/usecases/release-lock';
import { TakeLock } from '../../../src/survey-collaboration/usecases/take-lock';
import { UnlockField } from '../../../src/survey-collaboration/usecases/unlock-field';
import { WriteAnswer } from '../../../src/survey-collaboration/usecases/write-answer';
import { InMemorySurveys } from '../../support/surveys/in-memory-surveys';
import { NotedRoom } from '../../support/surveys/noted-room';
import { NOON } from '../../support/surveys/survey-builder';

export const POLICY = { ttlMs: 30_000, graceMs: 5_000, presenceTtlMs: 30_000 };

export class Stage {
  readonly books = new InMemorySurveys(POLICY);
  readonly room = new NotedRoom();
  roused = 0;
  readonly attend: AttendSurvey;
  readonly take: TakeLock;
  readonly release: ReleaseLock;
  readonly unlock: UnlockField;
  readonly write: WriteAnswer;
  readonly change: ChangeSurvey;
  readonly remove: DeleteSurvey;
  readonly read: ReadSurveys;
  readonly endAbandoned: EndAbandoned;

  constructor() {
    const { repository, answers, lockBook, presenceBook } = this.books;
    this.books.now = NOON;
    const watch = { rouse: () => void (this.roused += 1) };
    this.attend = new AttendSurvey(repository, answers, lockBook, presenceBook, this.room, watch);
    this.take = new TakeLock(repository, lockBook, this.room);
    this.release = new ReleaseLock(lockBook, this.room);
    this.unlock = new UnlockField(repository, lockBook, this.room);
    this.write = new WriteAnswer(answers, this.room);
    this.change = new ChangeSurvey(repository, lockBook, presenceBook, this.room);
    this.remove = new DeleteSurvey(repository, this.room);
    this.read = new ReadSurveys(repository, answers, lockBook);
    this.endAbandoned = new EndAbandoned(lockBook, presenceBook, this.room, this.attend, POLICY);
  }
}

export const line = (session: string, connection = `line of ${session}`): Line => ({ session, connection });
export const entered = (): Promise<void> => Promise.resolve();
