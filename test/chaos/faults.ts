// Chaos harness. The faults, drawn one after the other. Each puts right what it has broken, after a while.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { InstanceProcess } from './instance-process';
import { Ledger, type Start } from './ledger';
import type { Random } from './random';
import type { World } from './world';

const WEIGHTS = {
  'kill an instance': 5,
  'kill an agent': 4,
  'stop and continue': 3,
  'restart in order': 3,
  'rolling restart': 1,
  'restart the database': 1,
  'kill back ends': 4,
  'cut the lines': 4,
  'mute the lines': 3,
  'refuse lines': 3,
};
export type Fault = keyof typeof WEIGHTS;

export function faultsNamed(names: string): Fault[] {
  const all = Object.keys(WEIGHTS) as Fault[];
  if (names === 'all') return all;
  const wanted = names.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !all.includes(name as Fault));
  if (unknown !== undefined) throw new Error(`--only: there is no fault "${unknown}"; there are: ${all.join(', ')}`);
  return wanted as Fault[];
}

/** What others need to find out: a process is disturbed for somewhat longer than the fault lasts. */
const AFTERMATH_MS = 4_000;

export class Faults {
  readonly counts = new Map<Fault, number>();
  /** From the kill of an instance until nothing was in its hands any more, as long as another one was there to see to it. */
  readonly settleMs: number[] = [];
  /** Runs whose agents were killed: whatever became of them was not the house's doing. */
  readonly killedAgents = new Set<string>();
  private settling = 0;
  private restarting = false;
  private readonly underWay = new Set<Promise<void>>();
  private over = false;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly say: (line: string) => void,
    /** Whether processes are silent for so long, now and then, that the others give them up. */
    private readonly longSilences: boolean,
    private readonly kinds: readonly Fault[],
  ) {}

  /** Strikes until `until` (performance.now()), and resolves when everything has been put right. */
  async strike(until: number): Promise<void> {
    while (performance.now() < until) {
      const fault = this.random.weighted(pick(WEIGHTS, this.kinds));
      const seconds = this.random.between(0.5, 8);
      const node = this.random.pick(this.world.nodes);
      const work = this.run(fault, node, seconds).catch((error: Error) =>
        this.say(`${fault} failed: ${error.message}`),
      );
      this.underWay.add(work);
      void work.finally(() => this.underWay.delete(work));
      await pause(this.random.between(300, 2_500));
    }
    this.over = true;
    await Promise.all([...this.underWay]);
  }

  private async run(fault: Fault, node: InstanceProcess, seconds: number): Promise<void> {
    // One at a time for each instance: a stopped one that is killed is only a killed one.
    if (INSTANCE_FAULTS.has(fault) && busy(node)) return;
    // Somebody has to be left who can look after the dead.
    const lookedAfter = this.world.nodes.some((other) => other !== node && healthy(other));
    if ((fault === 'kill an instance' || (INSTANCE_FAULTS.has(fault) && this.settling > 0)) && !lookedAfter) return;
    // A rolling restart takes one after the other, and the next one when the last one is back.
    if ((fault === 'restart in order' || fault === 'rolling restart') && this.restarting) return;
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    this.say(`${fault} (${INSTANCE_FAULTS.has(fault) ? `${node.settings.name}, ` : ''}${seconds.toFixed(1)} s)`);
    await this.strikes[fault](node, seconds);
  }

  private readonly strikes: Record<Fault, (node: InstanceProcess, seconds: number) => Promise<void>> = {
    'kill an instance': async (node, seconds) => {
      await this.disturb(node, async () => {
        const killed = await this.idOf(node);
        await node.kill();
        // The others have to see to it; only then does it come back.
        if (this.random.next() < 0.6) await this.settled(node, killed);
        else await pause(seconds * 1_000);
        await node.start();
      });
    },
    'restart in order': async (node, seconds) => {
      this.restarting = true;
      await this.restart(node, seconds * 500).finally(() => (this.restarting = false));
    },
    // As a new version is rolled out: each one, and the next one when the last one is ready.
    'rolling restart': async () => {
      this.restarting = true;
      for (const node of this.world.nodes) if (!busy(node)) await this.restart(node, 0);
      this.restarting = false;
    },
    'stop and continue': async (node, seconds) => {
      await this.disturb(node, async () => {
        node.stopped = true;
        node.signal('SIGSTOP');
        await this.forAWhile(this.longSilences && this.random.next() < 0.15 ? 70 : seconds);
        node.signal('SIGCONT');
        node.stopped = false;
      });
    },
    'kill an agent': () => {
      const agents = Ledger.read(this.world.ledgerFile).atWork().slice(-20);
      for (const agent of agents.filter(() => this.random.next() < 0.5)) this.killAgent(agent);
      return Promise.resolve();
    },
    'restart the database': async () => {
      const { pid } = this.world.postgres;
      // SIGINT ends it in order, SIGKILL as a power cut does; its supervisor starts it again.
      if (pid !== undefined) process.kill(pid, this.random.next() < 0.5 ? 'SIGINT' : 'SIGKILL');
      await pause(1_000);
    },
    'kill back ends': async () => {
      await this.world.ask(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'horarium%' and random() < $1`,
        [this.random.next()],
      );
    },
    'cut the lines': async (node) => {
      await this.disturb(node, () => Promise.resolve(node.settings.proxy.cutOpenLines()));
    },
    'mute the lines': async (node) => {
      await this.disturb(node, () => Promise.resolve(node.settings.proxy.muteOpenLines()));
    },
    'refuse lines': async (node, seconds) => {
      await this.disturb(node, async () => {
        node.settings.proxy.refuseNewLines(true);
        node.settings.proxy.cutOpenLines();
        await this.forAWhile(this.longSilences && this.random.next() < 0.1 ? 70 : seconds);
        node.settings.proxy.refuseNewLines(false);
      });
    },
  };

  private async restart(node: InstanceProcess, pauseMs: number): Promise<void> {
    await this.disturb(node, async () => {
      await node.stop();
      await pause(pauseMs);
      await node.start();
    });
  }

  private async disturb(node: InstanceProcess, work: () => Promise<void>): Promise<void> {
    const disturbance = { from: Date.now() - 1_000, until: Infinity };
    node.disturbances.push(disturbance);
    try {
      await work();
    } finally {
      disturbance.until = Date.now() + AFTERMATH_MS;
    }
  }

  /** Waits, but not past the end of the chaos. */
  private async forAWhile(seconds: number): Promise<void> {
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until && !this.over) await pause(200);
  }

  private async idOf(node: InstanceProcess): Promise<string> {
    const [row] = await this.world.ask<{ id: string }>(
      'select id from instances where pid = $1 and stopped_at is null order by started_at desc limit 1',
      [node.pid ?? 0],
    );
    return row?.id ?? '';
  }

  /** Until no run is in the hands of this dead instance. */
  private async settled(node: InstanceProcess, instanceId: string): Promise<void> {
    const began = performance.now();
    const from = Date.now();
    const databaseStarts = this.counts.get('restart the database');
    this.settling += 1;
    while (performance.now() - began < 90_000) {
      const [row] = await this.world.ask<{ left: number }>(
        `select count(*)::integer as left from scheduled_task_runs
          where instance_id = $1 and status in ('queued', 'running')`,
        [instanceId],
      );
      if (row?.left === 0) break;
      await pause(100);
    }
    this.settling -= 1;
    const settledMs = performance.now() - began;
    const undisturbed = (other: InstanceProcess): boolean =>
      other !== node && other.running && other.disturbances.every(({ until }) => until < from);
    const counts = this.world.nodes.some(undisturbed) && databaseStarts === this.counts.get('restart the database');
    if (counts) this.settleMs.push(settledMs);
    this.say(
      `${node.settings.name} was settled after ${Math.round(settledMs)} ms${counts ? '' : ' (nobody was undisturbed)'}`,
    );
  }

  /** By its id, and only when the process with that id is an agent of ours. */
  private killAgent({ pid, runId }: Start): void {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (!line.includes(this.world.agentFile)) return;
      process.kill(pid, 'SIGKILL');
      this.killedAgents.add(runId);
    } catch {
      // It has ended by itself.
    }
  }
}

/** One at a time for each instance. */
function busy({ running, stopped, disturbances }: InstanceProcess): boolean {
  return stopped || !running || disturbances.some(({ until }) => until === Infinity);
}

function healthy({ running, stopped, disturbances }: InstanceProcess): boolean {
  return running && !stopped && disturbances.every(({ until }) => until < Date.now());
}

function pick(weights: Readonly<Record<Fault, number>>, kinds: readonly Fault[]): Record<Fault, number> {
  const entries = Object.entries(weights).filter(([fault]) => kinds.includes(fault as Fault));
  return Object.fromEntries(entries) as Record<Fault, number>;
}

const INSTANCE_FAULTS: ReadonlySet<Fault> = new Set<Fault>([
  'kill an instance',
  'restart in order',
  'stop and continue',
  'cut the lines',
  'mute the lines',
  'refuse lines',
]);
