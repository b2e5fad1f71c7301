// Platform, instances. Which process this is, for everything that records it (fences, leases, runs).

/**
 * Read it when it is needed and do not keep it: a process that was declared dead goes on under a new one, so that
 * what it had in hand before cannot be mistaken for what it has now.
 */
export class InstanceId {
  private value: string;
  private others = true;
  private isCutOff: () => boolean = () => false;

  constructor(private readonly fresh: () => string) {
    this.value = fresh();
  }

  get id(): string {
    return this.value;
  }

  get alone(): boolean {
    return !this.others;
  }

  get cutOff(): boolean {
    return this.isCutOff();
  }

  watchContact(isCutOff: () => boolean): void {
    this.isCutOff = isCutOff;
  }

  /** What each heartbeat sees. */
  seeOthers(others: boolean): void {
    this.others = others;
  }

  renew(): string {
    this.value = this.fresh();
    return this.value;
  }
}
