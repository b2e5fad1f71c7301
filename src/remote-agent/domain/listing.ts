// Domain. What people ask of the list of agents.

export const AGENT_STATES = ['online', 'offline', 'disabled'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

export interface AgentFilter {
  readonly state?: AgentState;
  /** All of them. */
  readonly labels?: readonly string[];
  /** Found in the name, without regard to case. */
  readonly text?: string;
}

export interface AgentPage {
  readonly limit: number;
  readonly after?: { readonly createdAt: Date; readonly id: string };
}
