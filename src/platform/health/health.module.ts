// Platform, health. The registry of checks, for everybody, and the checks of the ground itself.
import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { DatabaseClock } from '../clock';
import { MigrationState } from '../persistence/migration-state';
import { Sessions } from '../persistence/sessions';
import { construct } from '../wiring';
import { ClockHealth } from './clock-health';
import { DatabaseHealth, MigrationsHealth } from './database-health';
import { HealthController } from './health.controller';
import { HealthIndicators } from './health-indicators';
import { TimeZoneHealth } from './time-zone-health';

@Global()
@Module({
  controllers: [HealthController],
  providers: [
    { provide: HealthIndicators, useFactory: () => new HealthIndicators() },
    construct(DatabaseHealth, [Sessions]),
    { provide: MigrationState, useFactory: (sessions: Sessions) => new MigrationState(sessions), inject: [Sessions] },
    construct(MigrationsHealth, [MigrationState]),
    construct(ClockHealth, [DatabaseClock]),
    { provide: TimeZoneHealth, useFactory: () => new TimeZoneHealth() },
  ],
  exports: [HealthIndicators],
})
export class HealthModule implements OnModuleInit {
  constructor(
    private readonly indicators: HealthIndicators,
    private readonly database: DatabaseHealth,
    private readonly migrations: MigrationsHealth,
    private readonly clock: ClockHealth,
    private readonly timeZones: TimeZoneHealth,
  ) {}

  onModuleInit(): void {
    for (const check of [this.database, this.migrations, this.timeZones, this.clock]) this.indicators.add(check);
  }
}
