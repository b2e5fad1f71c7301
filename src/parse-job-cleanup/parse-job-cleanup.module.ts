// Parse jobs. Where port meets adapter, and configuration meets policy.
import { Module, type OnModuleDestroy } from '@nestjs/common';
import { Ids } from '../kernel/ids';
import { ThisInstance } from '../kernel/this-instance';
import { Config } from '../platform/config/config';
import { Metrics } from '../platform/metrics/metrics';
import { Sessions } from '../platform/persistence/sessions';
import { WakeChannel } from '../platform/persistence/wake-channel';
import { bind, construct, provide } from '../platform/wiring';
import { ParseJobPolicy } from './domain/parse-job-policy';
import { ParseJobsController } from './inbound/parse-jobs.controller';
import { HouseParseJobSignals } from './outbound/house-parse-job-signals';
import { SqlParseJobRepository } from './outbound/sql-parse-job-repository';
import { ParseJobRepository } from './ports/parse-job-repository';
import { ParseJobSignals } from './ports/parse-job-signals';
import { ParseFrameworks } from './usecases/parse-frameworks';
import { ReadParseJobs } from './usecases/read-parse-jobs';
import { ReviewParseJob } from './usecases/review-parse-job';
import { SubmitParseJob } from './usecases/submit-parse-job';
import { SweepParseJobs } from './usecases/sweep-parse-jobs';

const DAY = 86_400;

@Module({
  controllers: [ParseJobsController],
  providers: [
    provide(ParseJobPolicy, policyOf, [Config]),
    bind(ParseJobRepository, SqlParseJobRepository, [Sessions]),
    bind(ParseJobSignals, HouseParseJobSignals, [WakeChannel, Metrics]),
    construct(SubmitParseJob, [ParseJobRepository, ParseJobSignals, ParseJobPolicy, Ids]),
    construct(ReadParseJobs, [ParseJobRepository]),
    construct(ReviewParseJob, [ParseJobRepository]),
    construct(ParseFrameworks, [ParseJobRepository, ParseJobPolicy, ThisInstance]),
    construct(SweepParseJobs, [ParseJobRepository, ParseJobSignals, ParseJobPolicy]),
  ],
  exports: [ParseFrameworks, SweepParseJobs],
})
export class ParseJobCleanupModule implements OnModuleDestroy {
  constructor(private readonly parse: ParseFrameworks) {}

  onModuleDestroy(): void {
    this.parse.stop();
  }
}

function policyOf(config: Config): ParseJobPolicy {
  return {
    maxDocumentBytes: config.parseJobMaxFileMib * 1_048_576,
    ttlSeconds: config.parseJobTtlDays * DAY,
    purgeAfterSeconds: config.parseJobPurgeDays === 0 ? null : config.parseJobPurgeDays * DAY,
    leaseSeconds: 60,
  };
}
