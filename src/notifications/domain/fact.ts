// Domain. From a fact of another feature to what is said about it, and to whom.
import { type Room, tenantRoom, userRoom } from './room';

export interface Fact {
  readonly id: string;
  readonly tenantId: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
}

/** Which of the two wishes decides whether it is said; `always` cannot be switched off. */
export type Wish = 'failure' | 'success' | 'always';

interface Wording {
  readonly wish: Wish;
  title(say: (key: string, otherwise: string) => string): string;
  /** The title of a digest of so many. */
  many(count: number): string;
}

const WORDS: Readonly<Record<string, Wording>> = {
  'run.succeeded': {
    wish: 'success',
    title: (say) => `${say('task_title', 'A task')} has run`,
    many: (count) => `${count} more runs succeeded`,
  },
  'run.failed': {
    wish: 'failure',
    title: (say) => `${say('task_title', 'A task')} failed: ${say('error', 'no reason was given')}`,
    many: (count) => `${count} more runs failed`,
  },
  'run.interrupted': {
    wish: 'failure',
    title: (say) => `${say('task_title', 'A task')} was interrupted`,
    many: (count) => `${count} more runs were interrupted`,
  },
  'task.failing': {
    wish: 'failure',
    title: (say) => `${say('task_title', 'A task')} has failed ${say('failures_in_a_row', 'several')} times in a row`,
    many: (count) => `${count} more tasks keep failing`,
  },
  'task.recovered': {
    wish: 'failure',
    title: (say) => `${say('task_title', 'A task')} works again`,
    many: (count) => `${count} more tasks work again`,
  },
  'drive.needs-reconnect': {
    wish: 'always',
    title: () => 'Google Drive has to be connected again',
    many: (count) => `${count} more Drive connections have to be made again`,
  },
  'channel.at-risk': {
    wish: 'always',
    title: () => 'A Drive channel may expire before it is renewed',
    many: (count) => `${count} more Drive channels are at risk`,
  },
  'classification.finished': {
    wish: 'always',
    title: (say) => `The classification of ${say('project_title', 'a project')} is done`,
    many: (count) => `${count} more classifications are done`,
  },
  'agent.online': {
    wish: 'always',
    title: (say) => `${say('name', 'An agent')} is online`,
    many: (count) => `${count} more agents are online`,
  },
  'agent.offline': {
    wish: 'always',
    title: (say) => `${say('name', 'An agent')} is offline`,
    many: (count) => `${count} more agents are offline`,
  },
  'budget.starved': {
    wish: 'always',
    title: (say) => `${say('waiting', 'Several')} due tasks wait for a free place`,
    many: (count) => `Due tasks wait for a free place, seen ${count} more times`,
  },
  'webhook.disabled': {
    wish: 'always',
    title: (say) => `The webhook ${say('name', '')} was disabled: ${say('reason', 'it kept failing')}`,
    many: (count) => `${count} more webhooks were disabled`,
  },
};

/** Facts after which open pages of a project fetch again. */
const OF_PROJECTS = ['project.created', 'project.renamed', 'project.archived', 'project-task.created'].concat(
  ['project-task.renamed', 'project-task.deleted', 'evidence.added', 'evidence.renamed', 'evidence.deleted'],
  ['evidence.restored', 'evidence.reviewed', 'classification.finished'],
);

export const NOTIFIED_TYPES: readonly string[] = Object.keys(WORDS);
export const HEARD_TYPES: readonly string[] = [...new Set([...NOTIFIED_TYPES, ...OF_PROJECTS])];

const LONGEST_TITLE = 200;

export interface Said {
  readonly fact: Fact;
  readonly room: Room;
  readonly userId: string | null;
  readonly wish: Wish;
  readonly taskId: string;
  readonly title: string;
}

/** Null for facts that nobody is told. */
export function said(fact: Fact): Said | null {
  const words = WORDS[fact.type];
  if (words === undefined) return null;
  const { user_id: user, task_id: task } = fact.payload;
  const userId = typeof user === 'string' && user !== '' ? user : null;
  const title = words.title((key, otherwise) => {
    const value = fact.payload[key];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
  });
  return {
    fact,
    userId,
    room: userId === null ? tenantRoom(fact) : userRoom({ userId }),
    wish: words.wish,
    taskId: typeof task === 'string' ? task : '',
    title: shortened(title),
  };
}

export function digestTitle(kind: string, count: number): string {
  return WORDS[kind]?.many(count) ?? `${count} more of ${kind}`;
}

/** Rooms whose open pages should fetch again. */
export function reloads(fact: Fact): Room[] {
  const rooms: Room[] = [];
  const { project_id: project, run_id: run } = fact.payload;
  if (OF_PROJECTS.includes(fact.type) && (typeof project === 'string' || typeof project === 'number')) {
    rooms.push({ type: 'discussion', id: String(project) });
  }
  if (fact.type.startsWith('run.') && typeof run === 'string') rooms.push({ type: 'run', id: run });
  return rooms;
}

export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1)}…` : line;
}
