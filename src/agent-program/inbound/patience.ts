// Inbound. How long a stop waits for programs that are still at work.
export class Patience {
  constructor(readonly ms: number) {}
}
