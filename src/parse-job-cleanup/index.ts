// Frameworks of controls that people bring, and their nightly clean-up. The front door.
export { ParseJobCleanupModule } from './parse-job-cleanup.module';
export { ParseFrameworks } from './usecases/parse-frameworks';
export { SweepParseJobs } from './usecases/sweep-parse-jobs';
