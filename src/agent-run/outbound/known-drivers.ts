// Outbound adapter, fills AssistantDrivers: one driver for each kind that an assistant can name.
import type { Assistant, DriverKind } from '../domain/assistant';
import type { AssistantDriver, AssistantDrivers } from '../ports/assistant-driver';

export class KnownDrivers implements AssistantDrivers {
  constructor(private readonly drivers: Readonly<Record<DriverKind, AssistantDriver>>) {}

  of({ driver }: Assistant): AssistantDriver {
    return this.drivers[driver.kind];
  }

  all(): readonly AssistantDriver[] {
    return Object.values(this.drivers);
  }
}
