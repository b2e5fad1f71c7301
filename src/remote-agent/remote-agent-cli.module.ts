// Remote agents. The commands of operators, for cli.ts only. They ask the server.
import { Module } from '@nestjs/common';
import { AGENTS_COMMANDS, AgentsCommand } from './inbound/agents.cli';
import { AuthorityCommand, AuthorityRotateCommand, AuthorityShowCommand } from './inbound/authority.cli';
import { AgentsReissueCommand, AgentsTokenCommand } from './inbound/enrollment-tokens.cli';

@Module({
  providers: [
    AgentsCommand,
    ...AGENTS_COMMANDS,
    AgentsTokenCommand,
    AgentsReissueCommand,
    AuthorityCommand,
    AuthorityShowCommand,
    AuthorityRotateCommand,
  ],
})
export class RemoteAgentCliModule {}
