// Who keeps push channels for connections. A registry: the feature that keeps them knows this one, and not the other way.
export interface ChannelState {
  readonly state: 'none' | 'active' | 'failing' | 'expired';
  readonly expiresAt: Date | null;
  readonly error: string | null;
}

export interface ChannelKeeper {
  /** A tenant has connected. Never fails the connection: what does not work now is tried again later. */
  opened(tenantId: number, now: Date): Promise<void>;
  /** A tenant is about to disconnect: its channels are stopped while its grant still works. */
  closing(tenantId: number, now: Date): Promise<void>;
  state(tenantId: number, now: Date): Promise<ChannelState>;
}

const NONE: ChannelState = { state: 'none', expiresAt: null, error: null };

export class ChannelKeepers {
  private keeper: ChannelKeeper | undefined;

  register(keeper: ChannelKeeper): void {
    this.keeper = keeper;
  }

  async opened(tenantId: number, now: Date): Promise<void> {
    await this.keeper?.opened(tenantId, now).catch(() => undefined);
  }

  async closing(tenantId: number, now: Date): Promise<void> {
    await this.keeper?.closing(tenantId, now).catch(() => undefined);
  }

  state(tenantId: number, now: Date): Promise<ChannelState> {
    return this.keeper?.state(tenantId, now) ?? Promise.resolve(NONE);
  }
}
