// Platform, outbox. What one feature tells the others: that something has happened, and to what.

export interface NewEvent {
  readonly tenantId: number;
  /** `<thing>.<what became of it>`: `evidence.added`. Names are a contract between features. */
  readonly type: string;
  /** Ids and small facts, in wire spelling. Whoever needs more asks the feature that owns it. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
}

export interface OutboxEvent extends NewEvent {
  /** Grows with the order of events of a tenant; the same at every delivery of the same event. */
  readonly id: string;
}
