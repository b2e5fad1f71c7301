// Auth. The front door: what other modules and features may use.
export { AuthModule } from './auth.module';
export { CurrentActor, Public, RequireRole } from './inbound/door';
export { NotSignedInError } from './domain/errors';
export { Authenticate, type SignedIn } from './usecases/authenticate';
export { CreateTenant } from './usecases/create-tenant';
export { CreateToken, type CreateTokenInput } from './usecases/create-token';
export { ensureOperatorToken } from './operator-token';
