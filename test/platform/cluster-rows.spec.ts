// Which rows of the timetable are kept once per cluster. What forgets, sweeps up or renews is done once, however many processes
// there are; what claims its work row by row, or looks after its own process, is done everywhere.
import { timetable } from '../../src/scheduler/timetable';

const rows = timetable({ pollIntervalSeconds: 5, channelRenewalIntervalHours: 5 });
const once = new Set(rows.filter(({ oncePerCluster }) => oncePerCluster === true).map(({ name }) => name));
const names = rows.map(({ name }) => name);

test.each(names.filter((name) => /-(retention|cleanup|pruning|renewer)$/.test(name)))(
  '%s: once per cluster',
  (name) => {
    expect(once.has(name)).toBe(true);
  },
);

test.each([
  ['schedule-poller', 'claims row by row, as many as there are places'],
  ['run-settler', 'looks after what its own process has lost'],
  ['agent-run-settler', 'looks after what was left on its own machine'],
  ['agent-run-canceller', 'ends agents of its own process'],
  ['agent-run-retrier', 'takes row by row'],
  ['survey-attendance', 'speaks for those who are connected to this process'],
  ['drive-sync-worker', 'takes row by row'],
  ['outbox-relay', 'takes row by row'],
  ['classification-worker', 'takes row by row, and carries its own'],
  ['parse-job-worker', 'takes row by row'],
  ['agent-heartbeats', 'writes down what this process has heard'],
  ['agent-rights', 'closes connections of this process'],
  ['agent-listener', 'keeps the listener of this process'],
  ['agent-presence', 'announces what has changed, agent by agent'],
  ['webhook-deliverer', 'takes row by row'],
  ['notification-digest', 'takes row by row'],
  ['instance-heartbeat', 'says that this process lives'],
])('%s: everywhere, since it %s', (name) => {
  expect(names).toContain(name);
  expect(once.has(name)).toBe(false);
});
