// Platform, sockets. Several processes behave as one: what one of them says reaches the connections of all, through a
// Redis stream (@socket.io/redis-streams-adapter). Redis is never the truth: while it is away each process serves its own
// connections, and what was lost is found again by sequence, from the database.
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Server } from 'socket.io';

export interface RedisSettings {
  readonly url: string;
  /** Houses that share a Redis do not hear each other. */
  readonly prefix: string;
}

/** Longer than a round trip, shorter than anybody's patience: until then local delivery waits. */
const PUBLISH_WITHIN_MS = 2_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;
const BLOCK_MS = 5_000;

export class RedisFanOut {
  private readonly logger = new Logger('Sockets');
  private away = false;

  private constructor(
    private readonly publisher: Redis,
    private readonly clients: Redis[],
  ) {}

  /** Loaded only where it is used. Answers when it is connected, or has failed to for the first time. */
  static async open({ url, prefix }: RedisSettings, server: Server): Promise<RedisFanOut> {
    const [{ Redis: Client }, { createAdapter }] = await Promise.all([
      import('ioredis'),
      import('@socket.io/redis-streams-adapter'),
    ]);
    const clients: Redis[] = [];
    // Without an offline queue: a message that waits for Redis to come back would hold up its local receivers.
    const publisher = new Client(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: PUBLISH_WITHIN_MS,
      retryStrategy,
    });
    const fanOut = new RedisFanOut(publisher, clients);
    fanOut.watch(publisher);
    await new Promise<void>((resolve) => {
      publisher.once('ready', resolve);
      publisher.once('error', () => resolve());
    });
    // The adapter makes its readers by `duplicate`. They wait as long as it takes, and never ask again without a pause.
    publisher.duplicate = () => {
      const reader = new Client(url, { maxRetriesPerRequest: null, retryStrategy });
      clients.push(reader);
      return patient(reader);
    };
    server.adapter(
      createAdapter(publisher, {
        streamName: `${prefix}:sockets`,
        channelPrefix: `${prefix}:sockets`,
        blockTimeInMs: BLOCK_MS,
        onlyPlaintext: true,
      }) as never,
    );
    return fanOut;
  }

  get connected(): boolean {
    return this.publisher.status === 'ready';
  }

  close(): void {
    for (const client of [this.publisher, ...this.clients]) client.disconnect();
  }

  private watch(publisher: Redis): void {
    publisher.on('error', (error: Error) => {
      if (!this.away) this.logger.warn(`Redis is away, each process serves its own sockets: ${error.message}`);
      this.away = true;
    });
    publisher.on('ready', () => {
      if (this.away) this.logger.log('Redis is back');
      this.away = false;
    });
  }
}

function retryStrategy(times: number): number {
  return Math.min(100 * 2 ** Math.min(times, 10), 5_000);
}

type Read = (...args: (string | number)[]) => Promise<unknown>;

/**
 * Two gaps of the adapter's reading loop are closed here. It begins at `$` and asks for `$` again until something came,
 * and what is written between two questions is lost; and a failed question is asked again at once, without end.
 */
function patient(reader: Redis): Redis {
  const loose = reader as unknown as { xread: Read; subscribe: Read };
  const read = loose.xread.bind(reader);
  const subscribe = loose.subscribe.bind(reader);
  let beginning: string | undefined;
  loose.xread = async (...args) => {
    try {
      if (args.at(-1) === '$') args[args.length - 1] = beginning ??= await lastId(reader, String(args.at(-2)));
      return await read(...args);
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_FAILURE_MS).unref());
      throw error;
    }
  };
  // Nobody waits for it: a stop before Redis was ever reached would otherwise end the process.
  loose.subscribe = (...args) => {
    const subscribed = subscribe(...args);
    subscribed.catch(() => undefined);
    return subscribed;
  };
  return reader;
}

async function lastId(reader: Redis, stream: string): Promise<string> {
  const [last] = await reader.xrevrange(stream, '+', '-', 'COUNT', 1);
  return last?.[0] ?? '0-0';
}
