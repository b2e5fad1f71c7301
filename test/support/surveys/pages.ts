// Test support. People with a survey open, as clients of /socket/fill-survey see it.
import { randomUUID } from 'node:crypto';
import type { TestApp } from '../app';
import { type SocketClient, socketClient } from '../sockets';

export const FILL_SURVEY = '/socket/fill-survey';

type Answer = Awaited<ReturnType<SocketClient['ask']>>;

/** One page of one person, on one survey at a time. */
export interface SurveyPage extends SocketClient {
  readonly session: string;
  /** Sends with the survey's id. */
  say(event: string, payload?: object): Promise<Answer>;
}

export async function surveyPage(
  house: Pick<TestApp, 'url' | 'token'>,
  userId: string,
  surveyId: string,
  { session = randomUUID(), join = true, tenantId = 1 }: { session?: string; join?: boolean; tenantId?: number } = {},
): Promise<SurveyPage> {
  const token = await house.token(userId, { tenantId });
  return pageWithToken(house.url, token, surveyId, { session, join });
}

export async function pageWithToken(
  url: string,
  token: string,
  surveyId: string,
  { session = randomUUID(), join = true }: { session?: string; join?: boolean } = {},
): Promise<SurveyPage> {
  const client = await socketClient(url, FILL_SURVEY, { token, session });
  const say = (event: string, payload: object = {}): Promise<Answer> =>
    client.ask(event, { survey_id: surveyId, ...payload });
  const page = { ...client, session, say };
  if (join) {
    const answer = await say('join');
    if (answer['ok'] !== true) throw new Error(JSON.stringify(answer));
  }
  return page;
}

let operations = 0;

/** An answer to `name`, on version 0, under a new operation id. */
export function anUpdate(fence: number, more: object = {}): object {
  operations += 1;
  return { field_key: 'name', fence, base_version: 0, value: 'Horarium', op_id: `op-${operations}`, ...more };
}
