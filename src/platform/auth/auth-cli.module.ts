// Auth. The commands, for cli.ts only.
import { Module } from '@nestjs/common';
import { AuthModule } from './auth.module';
import { ApiKeyCommand, ApiKeyCreateCommand, ApiKeyListCommand, ApiKeyRevokeCommand } from './inbound/api-keys.cli';
import { TenantCommand, TenantCreateCommand, TenantListCommand } from './inbound/tenants.cli';
import { TokenCommand, TokenCreateCommand } from './inbound/tokens.cli';

@Module({
  imports: [AuthModule],
  providers: [
    TenantCommand,
    TenantCreateCommand,
    TenantListCommand,
    TokenCommand,
    TokenCreateCommand,
    ApiKeyCommand,
    ApiKeyCreateCommand,
    ApiKeyListCommand,
    ApiKeyRevokeCommand,
  ],
})
export class AuthCliModule {}
