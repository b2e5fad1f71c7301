// Evidence classification: suggests to which family of controls a file belongs. The front door.
export { EvidenceClassificationModule } from './evidence-classification.module';
export { CarryRuns } from './usecases/carry-runs';
