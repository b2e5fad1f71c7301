// Domain. What webhooks can be told. The names are a contract with whoever receives them.

export const DELIVERED_TYPES = [
  'run.succeeded',
  'run.failed',
  'run.interrupted',
  'task.failing',
  'task.recovered',
  'task.created',
  'task.updated',
  'task.deleted',
  'project.created',
  'project.renamed',
  'project.archived',
  'project-task.created',
  'project-task.renamed',
  'project-task.deleted',
  'evidence.added',
  'evidence.renamed',
  'evidence.deleted',
  'evidence.restored',
  'evidence.reviewed',
  'drive.needs-reconnect',
  'channel.at-risk',
  'classification.finished',
  'agent.online',
  'agent.offline',
  'budget.starved',
  'webhook.disabled',
] as const;

/** Sent by the test button only. */
export const TEST_TYPE = 'webhook.test';

/** What somebody who names none wants to be told. */
export const USUAL_TYPES: readonly string[] = [
  'run.failed',
  'run.interrupted',
  'task.failing',
  'task.recovered',
  'drive.needs-reconnect',
  'channel.at-risk',
  'agent.offline',
  'budget.starved',
  'webhook.disabled',
];

export function isDeliveredType(type: string): boolean {
  return (DELIVERED_TYPES as readonly string[]).includes(type);
}
