// Scheduler: what the house does by itself. (What people asked for is schedule.) This file is the timetable, the whole
// background life of the house on one screen; ticker.ts keeps it.
import { OUTBOX_RELAY } from '../platform/outbox';
import type { TimetableRow } from './timetable-row';

/** What the rows run. Each is handed in by scheduler.module.ts. */
export interface BackgroundWork {
  readonly dispatchDue: { run(now: Date): Promise<Date | null> };
  readonly deliverWaiting: { run(now: Date): Promise<Date | null> };
  readonly promoteQueued: { run(now: Date): Promise<Date | null> };
  readonly endSessions: { run(now: Date): Promise<Date | null> };
  readonly settleRuns: { run(now: Date): Promise<unknown> };
  readonly settleAgentRuns: { run(now: Date): Promise<unknown> };
  readonly heedCancelRequests: { run(now: Date): Promise<void> };
  readonly surveyAttendance: { keepAlive(): Promise<void> };
  readonly endAbandonedEdits: { run(now: Date): Promise<Date | null> };
  readonly drainDriveQueue: { run(now: Date): Promise<Date | null> };
  readonly forgetDriveJobs: { run(now: Date): Promise<void> };
  readonly renewChannels: { run(now: Date): Promise<Date | null> };
  readonly tryAgain: { run(now: Date): Promise<Date | null> };
  readonly outboxRelay: { run(now: Date): Promise<Date | null> };
  readonly outboxRetention: { run(now: Date): Promise<unknown> };
  readonly carryClassifications: { run(now: Date): Promise<Date | null> };
  readonly parseFrameworks: { run(now: Date): Promise<unknown> };
  readonly sweepParseJobs: { run(): Promise<unknown> };
  readonly remoteAgents: {
    flush(now: Date): Promise<void>;
    rights(now: Date): Promise<void>;
    listener(now: Date): Promise<void>;
    announce(now: Date): Promise<void>;
    prune(now: Date): Promise<void>;
  };
  readonly publishDigests: { run(now: Date): Promise<Date | null> };
  readonly deliverWebhooks: { run(now: Date): Promise<Date | null> };
  readonly forgetNotifications: { run(now: Date): Promise<void> };
  readonly heartbeat: { run(now: Date): Promise<void> };
}

export interface TimetableSettings {
  readonly pollIntervalSeconds: number;
  readonly channelRenewalIntervalHours: number;
}

/** A row as it is written down: without what it runs, so that it can be printed where nothing runs. */
export type TimetableEntry = Omit<TimetableRow, 'tick'> & {
  tick(work: BackgroundWork, now: Date): Promise<Date | null | void>;
};

/** What is woken when there is something to do looks by itself as seldom as this: a wake may have been lost. */
const SAFETY_MS = 60_000;

export const SCHEDULE_POLLER = 'schedule-poller';

export function timetable({ pollIntervalSeconds, channelRenewalIntervalHours }: TimetableSettings): TimetableEntry[] {
  return [
    {
      name: SCHEDULE_POLLER,
      logger: 'SchedulePoller',
      rhythm: { whenDue: true, atMostMs: pollIntervalSeconds * 1_000 },
      tick: ({ dispatchDue }, now) => dispatchDue.run(now),
    },
    // Both settlers keep everywhere: each process also looks after what it has lost from its own hands, and after what an
    // earlier one has left on its machine. That others do the same at once is decided row by row.
    {
      name: 'waiting-runs',
      uponDeath: true,
      logger: 'WaitingRuns',
      rhythm: { whenDue: true, atMostMs: SAFETY_MS },
      tick: ({ deliverWaiting }, now) => deliverWaiting.run(now),
    },
    {
      name: 'queued-agent-runs',
      uponDeath: true,
      logger: 'QueuedAgentRuns',
      rhythm: { whenDue: true, atMostMs: SAFETY_MS },
      tick: ({ promoteQueued }, now) => promoteQueued.run(now),
    },
    {
      name: 'agent-sessions',
      uponDeath: true,
      logger: 'AgentSessions',
      rhythm: { whenDue: true, atMostMs: SAFETY_MS },
      tick: ({ endSessions }, now) => endSessions.run(now),
    },
    {
      name: 'run-settler',
      uponDeath: true,
      logger: 'RunSettler',
      rhythm: { everyMs: 5_000 },
      tick: async ({ settleRuns }, now) => void (await settleRuns.run(now)),
    },
    {
      name: 'agent-run-settler',
      uponDeath: true,
      logger: 'AgentRunSettler',
      rhythm: { everyMs: 5_000 },
      tick: async ({ settleAgentRuns }, now) => void (await settleAgentRuns.run(now)),
    },
    {
      name: 'agent-run-canceller',
      logger: 'AgentRunCanceller',
      rhythm: { everyMs: 2_000 },
      // During a stop agents may still work for a while, and their people change their minds.
      untilTheEnd: true,
      tick: ({ heedCancelRequests }, now) => heedCancelRequests.run(now),
    },
    {
      name: 'survey-attendance',
      logger: 'SurveyAttendance',
      rhythm: { everyMs: 10_000 },
      tick: ({ surveyAttendance }) => surveyAttendance.keepAlive(),
    },
    {
      name: 'survey-locks',
      logger: 'SurveyLocks',
      rhythm: { whenDue: true, atMostMs: SAFETY_MS },
      tick: ({ endAbandonedEdits }, now) => endAbandonedEdits.run(now),
    },
    {
      name: 'drive-sync-worker',
      uponDeath: true,
      logger: 'DriveSyncWorker',
      // While there is work, every DRIVE_SYNC_INTERVAL_SECONDS.
      rhythm: { whenDue: true, atMostMs: SAFETY_MS },
      tick: ({ drainDriveQueue }, now) => drainDriveQueue.run(now),
    },
    {
      name: 'drive-job-retention',
      logger: 'DriveJobRetention',
      rhythm: { everyMs: 3_600_000 },
      oncePerCluster: true,
      tick: ({ forgetDriveJobs }, now) => forgetDriveJobs.run(now),
    },
    {
      name: 'webhook-channel-renewer',
      logger: 'WebhookChannelRenewer',
      // What failed names an earlier look.
      rhythm: { whenDue: true, atMostMs: channelRenewalIntervalHours * 3_600_000 },
      oncePerCluster: true,
      tick: ({ renewChannels }, now) => renewChannels.run(now),
    },
    {
      name: 'agent-run-retrier',
      logger: 'AgentRunRetrier',
      rhythm: { whenDue: true, atMostMs: SAFETY_MS },
      tick: ({ tryAgain }, now) => tryAgain.run(now),
    },
    {
      name: OUTBOX_RELAY,
      uponDeath: true,
      logger: 'OutboxRelay',
      rhythm: { whenDue: true, atMostMs: 30_000 },
      tick: ({ outboxRelay }, now) => outboxRelay.run(now),
    },
    {
      name: 'outbox-retention',
      logger: 'OutboxRetention',
      rhythm: { everyMs: 3_600_000 },
      oncePerCluster: true,
      tick: async ({ outboxRetention }, now) => void (await outboxRetention.run(now)),
    },
    {
      name: 'classification-worker',
      uponDeath: true,
      logger: 'EvidenceClassification',
      rhythm: { whenDue: true, atMostMs: SAFETY_MS },
      tick: ({ carryClassifications }, now) => carryClassifications.run(now),
    },
    {
      name: 'parse-job-worker',
      uponDeath: true,
      logger: 'ParseJobWorker',
      rhythm: { everyMs: SAFETY_MS },
      tick: async ({ parseFrameworks }, now) => void (await parseFrameworks.run(now)),
    },
    {
      name: 'parse-job-cleanup',
      logger: 'ParseJobCleanup',
      rhythm: { cron: '0 1 * * *' },
      oncePerCluster: true,
      makeUpMissed: true,
      tick: async ({ sweepParseJobs }) => void (await sweepParseJobs.run()),
    },
    {
      name: 'agent-heartbeats',
      logger: 'AgentHeartbeats',
      rhythm: { everyMs: 1_000 },
      untilTheEnd: true,
      tick: ({ remoteAgents }, now) => remoteAgents.flush(now),
    },
    {
      name: 'agent-rights',
      logger: 'AgentRights',
      rhythm: { everyMs: 5_000 },
      untilTheEnd: true,
      tick: ({ remoteAgents }, now) => remoteAgents.rights(now),
    },
    {
      name: 'agent-listener',
      logger: 'AgentListener',
      rhythm: { everyMs: 30_000 },
      tick: ({ remoteAgents }, now) => remoteAgents.listener(now),
    },
    {
      name: 'agent-presence',
      logger: 'AgentPresence',
      rhythm: { everyMs: 15_000 },
      tick: ({ remoteAgents }, now) => remoteAgents.announce(now),
    },
    {
      name: 'agent-pruning',
      logger: 'AgentPruning',
      rhythm: { cron: '40 3 * * *' },
      oncePerCluster: true,
      tick: ({ remoteAgents }, now) => remoteAgents.prune(now),
    },
    {
      name: 'notification-digest',
      logger: 'NotificationDigest',
      rhythm: { whenDue: true, atMostMs: SAFETY_MS },
      tick: ({ publishDigests }, now) => publishDigests.run(now),
    },
    {
      name: 'webhook-deliverer',
      logger: 'WebhookDeliverer',
      rhythm: { whenDue: true, atMostMs: SAFETY_MS },
      tick: ({ deliverWebhooks }, now) => deliverWebhooks.run(now),
    },
    {
      name: 'notification-retention',
      logger: 'NotificationRetention',
      rhythm: { everyMs: 3_600_000 },
      oncePerCluster: true,
      tick: ({ forgetNotifications }, now) => forgetNotifications.run(now),
    },
    {
      name: 'instance-heartbeat',
      logger: 'InstanceHeartbeat',
      rhythm: { everyMs: 2_000 },
      untilTheEnd: true,
      tick: ({ heartbeat }, now) => heartbeat.run(now),
    },
  ];
}

export function rowsOf(entries: readonly TimetableEntry[], work: BackgroundWork): TimetableRow[] {
  return entries.map((entry) => ({ ...entry, tick: (now) => entry.tick(work, now) }));
}
