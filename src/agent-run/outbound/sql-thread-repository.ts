// Outbound adapter, owns tables threads and thread_messages. Messages are inserted together with the runs they belong
// to, by sql-agent-run-repository.
import { systemActor, type Actor, type Owner } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { MessageRole, Thread, ThreadMessage } from '../domain/thread';
import { MOST_PAGE_BYTES, type MessagePage, type ThreadRepository } from '../ports/thread-repository';
import { scopeOf } from './actor-scope';

const ADD = `
  insert into threads (id, tenant_id, user_id, title, created_at, updated_at) values ($1, $2, $3, $4, $5, $6)`;

// A run does not write its thread's row: a thousand runs a second would write a thousand rows more.
const FIND = `
  select t.id, t.tenant_id, t.user_id, t.title, t.created_at, greatest(t.updated_at, newest.created_at) as updated_at
    from threads t
    left join lateral (select r.created_at from agent_runs r where r.thread_id = t.id
                        order by r.created_at desc, r.id desc limit 1) newest on true
   where t.id = $1 and ($2 or (t.tenant_id = $3 and t.user_id = $4))`;

const AGENT_SESSION = `
  select agent_sessions ->> $4 as agent_session from threads where id = $1 and tenant_id = $2 and user_id = $3`;

// What does not come along is not read either: the length of a long text stands beside it.
const MESSAGES = `
  select id, thread_id, agent_run_id, role, content, created_at
    from (select m.*, sum(octet_length(content)) over (order by id) - octet_length(content) as said_before
            from (select * from thread_messages
                   where thread_id = $1 and ($2 or (tenant_id = $3 and user_id = $4)) and id > $5
                   order by id
                   limit $6) m) page
   where said_before < $7
   order by id`;

interface ThreadRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly user_id: string;
  readonly title: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

interface MessageRow {
  readonly id: string;
  readonly thread_id: string;
  readonly agent_run_id: string | null;
  readonly role: MessageRole;
  readonly content: string;
  readonly created_at: Date;
}

export class SqlThreadRepository implements ThreadRepository {
  constructor(private readonly sessions: Sessions) {}

  async add(actor: Actor, { id, owner, title, createdAt, updatedAt }: Thread): Promise<void> {
    const values = [id, owner.tenantId, owner.userId, title, createdAt, updatedAt];
    await this.sessions.run(actor, (tx) => tx.query(ADD, values));
  }

  async find(actor: Actor, threadId: string): Promise<Thread | null> {
    const [row] = await this.sessions.run(actor, (tx) => tx.query<ThreadRow>(FIND, [threadId, ...scopeOf(actor)]));
    return row === undefined ? null : toThread(row);
  }

  async agentSession(owner: Owner, threadId: string, assistantId: string): Promise<string | null> {
    const values = [threadId, owner.tenantId, owner.userId, assistantId];
    const [row] = await this.sessions.run(systemActor('agent runs: the conversation that a run goes on with'), (tx) =>
      tx.query<{ agent_session: string | null }>(AGENT_SESSION, values),
    );
    return row?.agent_session ?? null;
  }

  async messages(actor: Actor, threadId: string, { limit, after }: MessagePage): Promise<ThreadMessage[]> {
    const values = [threadId, ...scopeOf(actor), after ?? '0', limit, MOST_PAGE_BYTES];
    return (await this.sessions.run(actor, (tx) => tx.query<MessageRow>(MESSAGES, values))).map(toMessage);
  }
}

function toThread(row: ThreadRow): Thread {
  const owner = { tenantId: row.tenant_id, userId: row.user_id };
  return { id: row.id, owner, title: row.title, createdAt: row.created_at, updatedAt: row.updated_at };
}

function toMessage(row: MessageRow): ThreadMessage {
  const { id, role, content } = row;
  return { id, threadId: row.thread_id, agentRunId: row.agent_run_id, role, content, createdAt: row.created_at };
}
