// Remote agents: enrolment, heartbeat, who is online, and work for them. The front door: what others may use.
export { AgentListener } from './inbound/agent-listener';
export { RemoteAgentModule } from './remote-agent.module';
export { AgentUpkeep } from './usecases/agent-upkeep';
