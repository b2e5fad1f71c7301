// Use case. Gives the runs of dead processes an end, so that their threads are free and whoever waits hears of it.
// Who is alive is written in the table instances, by the processes themselves.
import { systemActor } from '../../kernel/actor';
import type { ThisInstance } from '../../kernel/this-instance';
import type { AgentRun } from '../domain/agent-run';
import { bareEnd, saidByHead, type RunEnd } from '../domain/run-end';
import type { AgentRunRepository, Holders } from '../ports/agent-run-repository';
import type { AssistantDriver } from '../ports/assistant-driver';
import type { FaultLog } from '../ports/fault-log';
import type { ExecuteRun } from './execute-run';
import type { Launches } from './launches';
import type { RunEndListeners } from './run-end-listeners';

const HOUSE = systemActor('agent runs: what an earlier process has left behind');
/** However calm it is, somebody looks this often. */
const LONGEST_CALM_MS = 120_000;

export class SettleAbandonedRuns {
  /** The last look found no run of a dead process, and there was no other process that could leave one. */
  private calmSince: Date | null = null;
  /** Something an earlier process has left on this machine may still be waiting for its run to be settled. */
  private leftBehind = true;

  constructor(
    private readonly runs: AgentRunRepository,
    private readonly launches: Launches,
    private readonly execution: ExecuteRun,
    private readonly listeners: RunEndListeners,
    private readonly faults: FaultLog,
    private readonly instance: ThisInstance,
    /** Whether this process has the run in hand: at work, or in line. */
    private readonly inHand: (run: AgentRun) => boolean = () => false,
  ) {}

  /** How many were given an end. One that fails is reported, and the others are settled all the same. */
  async run(now: Date, holders?: Holders): Promise<number> {
    const calm = this.calmSince !== null && now.getTime() - this.calmSince.getTime() < LONGEST_CALM_MS;
    if (holders === undefined && calm && this.instance.alone === true) return 0;
    const alone = this.instance.alone === true;
    const left = await this.runs.heldBy(holders ?? { deadOr: this.instance.id });
    this.calmSince = alone && left.length === 0 ? now : null;
    const abandoned = left.filter(
      (run) => !this.inHand(run) && (run.fields.instanceId !== this.instance.id || isOld(run, now)),
    );
    const settled = await Promise.all(turnsOf(abandoned).map((turn) => this.settle(turn, now)));
    if (this.leftBehind) this.leftBehind = await this.clearUp(now);
    return settled.reduce((sum, count) => sum + count, 0);
  }

  /** What was one turn of an agent has one end, and goes on together. */
  private async settle([head, ...others]: Turn, now: Date): Promise<number> {
    try {
      if (await this.adopted(head, others)) return 0;
      const end = await this.endOf(head);
      const told = await this.end(
        [head, ...others].map((run) => run.endedWith(run === head ? end : saidByHead(end), now)),
      );
      await this.launches.known(head)?.driver.forget(head.fields.requestId);
      return told;
    } catch (error) {
      this.faults.report(`agent run ${head.id}, left behind by a dead process, could not be settled`, error);
      return 0;
    }
  }

  /** How many of these ends count. */
  private async end(ended: readonly AgentRun[]): Promise<number> {
    const counts = await Promise.all(
      ended.map(async (run) => {
        const counts = await this.runs.recordEnd(run);
        if (counts) await this.listeners.tell(run);
        return counts;
      }),
    );
    return counts.filter(Boolean).length;
  }

  /**
   * Soon after a start: others may have settled what died here, without a look into this machine. Agents that still work are
   * ended, and an end that was left behind corrects what others had to presume. True: not yet everything.
   */
  private async clearUp(now: Date): Promise<boolean> {
    try {
      let open = false;
      for (const { driver, requestIds } of await this.launches.leftBehind()) {
        const found = await this.runs.byRequestIds(HOUSE, requestIds);
        const runs = new Map(found.map((run) => [run.fields.requestId, run]));
        for (const requestId of requestIds) {
          const run = runs.get(requestId);
          // In somebody's hands, or settled above at the next look.
          if (run?.ended === false) open = true;
          else await this.clearUpAfter(driver, requestId, run, now);
        }
      }
      return open;
    } catch (error) {
      this.faults.report('what an earlier process has left behind could not be cleared up', error);
      return true;
    }
  }

  private async clearUpAfter(driver: AssistantDriver, requestId: string, run: AgentRun | undefined, now: Date) {
    const known = run && this.launches.known(run);
    const found = await driver.find(requestId, known?.launch);
    if (found.state === 'running') await driver.cancel(requestId, GONE, known?.launch);
    if (found.state === 'ended' && run !== undefined) {
      const { end } = found;
      const turn = [run, ...(await this.othersOfTurn(run))].filter(({ fields }) => fields.end?.presumed === true);
      await this.end(turn.map((one) => one.correctedBy(one.id === run.id ? end : saidByHead(end), now)));
    }
    await driver.forget(requestId);
  }

  private async othersOfTurn({ id, fields: { threadId } }: AgentRun): Promise<AgentRun[]> {
    const onThread = await this.runs.ofThread(HOUSE, threadId, { limit: 1_000, offset: 0 });
    return onThread.filter(({ fields }) => fields.turnOf === id);
  }

  /** An agent that outlives the house goes on: this process follows it from now on, and no other. */
  private async adopted(head: AgentRun, others: readonly AgentRun[]): Promise<boolean> {
    const known = this.launches.known(head);
    if (known?.driver.capabilities(known.launch.assistant).outlivesHouse !== true) return false;
    if ((await known.driver.find(head.fields.requestId, known.launch)).state === 'unknown') return false;
    const mine = await this.runs.takeOver(head, this.instance.id);
    // Somebody else was faster.
    if (mine === null) return true;
    const along = await Promise.all(others.map((run) => this.runs.takeOver(run, this.instance.id)));
    return this.execution.adopt(
      mine,
      known,
      along.filter((run) => run !== null),
    );
  }

  /** The driver may know the true end. An agent that still works has nobody left to hear it, and is ended. */
  private async endOf(run: AgentRun): Promise<RunEnd> {
    const { requestId, startedAt, instanceId } = run.fields;
    const why = instanceId === this.instance.id ? LOST_SIGHT : GONE;
    const known = await this.launches.abandoned(run);
    const found = await known?.driver.find(requestId, known.launch);
    if (found?.state === 'ended') return found.end;
    if (known === undefined) await this.launches.cancel(run, why);
    else if (found?.state === 'running') await known.driver.cancel(requestId, why, known.launch);
    const words = startedAt === null ? `${why} Whether the agent had begun is not known.` : why;
    return bareEnd('interrupted', words, { presumed: true });
  }
}

/** The run whose execution it was, and the others of its turn. */
type Turn = readonly [AgentRun, ...AgentRun[]];

function turnsOf(runs: readonly AgentRun[]): Turn[] {
  const ids = new Set(runs.map(({ id }) => id));
  const heads = runs.filter(({ fields }) => fields.turnOf === null || !ids.has(fields.turnOf));
  return heads.map((head) => [head, ...runs.filter(({ fields }) => fields.turnOf === head.id)]);
}

/** A run of this process is in its hands soon after it is stored, or never. */
function isOld({ fields }: AgentRun, now: Date): boolean {
  return now.getTime() - fields.createdAt.getTime() > 60_000;
}

const LOST_SIGHT = 'Horarium has lost sight of this run.';
const GONE = 'The Horarium process that held this run has ended.';
