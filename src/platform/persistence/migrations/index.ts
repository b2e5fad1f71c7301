// Platform, persistence. Every migration of the house in order. A released one is never edited.
import { Ground1764460800001 } from './0001-ground';
import { AgentRuns1764460800002 } from './0002-agent-runs';
import { ScheduledTasks1764460800003 } from './0003-scheduled-tasks';
import { Outbox1764460800004 } from './0004-outbox';
import { Evidence1764460800005 } from './0005-evidence';
import { DriveSync1764460800006 } from './0006-drive-sync';
import { WebhookRenewal1764460800007 } from './0007-webhook-renewal';
import { Notifications1764460800008 } from './0008-notifications';
import { Surveys1764460800009 } from './0009-surveys';
import { RemoteAgents1764460800010 } from './0010-remote-agents';
import { Classification1764460800011 } from './0011-classification';
import { ParseJobs1764460800012 } from './0012-parse-jobs';
import { AgentSessions1764460800013 } from './0013-agent-sessions';

export const migrations = [
  Ground1764460800001,
  AgentRuns1764460800002,
  ScheduledTasks1764460800003,
  Outbox1764460800004,
  Evidence1764460800005,
  DriveSync1764460800006,
  WebhookRenewal1764460800007,
  Notifications1764460800008,
  Surveys1764460800009,
  RemoteAgents1764460800010,
  Classification1764460800011,
  ParseJobs1764460800012,
  AgentSessions1764460800013,
];
