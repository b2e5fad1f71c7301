// Evidence classification. Where port meets adapter, and configuration meets policy.
import { Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { join, resolve } from 'node:path';
import { EvidenceModule, ReadEvidence, ReadProjects, ReviewEvidence } from '../evidence';
import { Clock } from '../kernel/clock';
import { Ids } from '../kernel/ids';
import { ThisInstance } from '../kernel/this-instance';
import { Config } from '../platform/config/config';
import { HealthIndicators } from '../platform/health/health-indicators';
import { Metrics } from '../platform/metrics/metrics';
import { Sessions } from '../platform/persistence/sessions';
import { WakeChannel } from '../platform/persistence/wake-channel';
import { bind, construct, provide } from '../platform/wiring';
import { ClassificationPolicy } from './domain/classification-policy';
import { ClassificationController } from './inbound/classification.controller';
import { ClassifierHealth } from './inbound/classifier-health';
import { ChosenRunner } from './outbound/chosen-runner';
import { DiskRunFolders } from './outbound/disk-run-folders';
import { DockerRunner } from './outbound/docker-runner';
import { FrontDoorEvidenceCatalogue } from './outbound/front-door-evidence-catalogue';
import { HouseClassificationSignals } from './outbound/house-classification-signals';
import { ProcessRunner } from './outbound/process-runner';
import { SocketModelDoor } from './outbound/socket-model-door';
import { SqlRunRepository } from './outbound/sql-run-repository';
import { ClassificationSignals } from './ports/classification-signals';
import { ClassifierRunner } from './ports/classifier-runner';
import { EvidenceCatalogue } from './ports/evidence-catalogue';
import { ModelDoor } from './ports/model-door';
import { RunFolders } from './ports/run-folders';
import { RunRepository } from './ports/run-repository';
import { CarryRuns } from './usecases/carry-runs';
import { CheckRunner } from './usecases/check-runner';
import { ReapStrays } from './usecases/reap-strays';
import { ReadRuns } from './usecases/read-runs';
import { RequestClassification } from './usecases/request-classification';
import { ReviewSuggestion } from './usecases/review-suggestion';

const MOST_FILES = 1_000;

@Module({
  imports: [EvidenceModule],
  controllers: [ClassificationController],
  providers: [
    provide(ClassificationPolicy, policyOf, [Config]),
    provide(RunFolders, (config: Config) => new DiskRunFolders(foldersOf(config)), [Config]),
    provide(ClassifierRunner, runnerOf, [Config, RunFolders]),
    provide(ModelDoor, (config: Config) => new SocketModelDoor(modelOf(config)), [Config]),
    construct(ReapStrays, [RunRepository, ClassifierRunner, RunFolders, ClassificationSignals]),
    bind(RunRepository, SqlRunRepository, [Sessions]),
    bind(EvidenceCatalogue, FrontDoorEvidenceCatalogue, [ReadEvidence, ReadProjects, ReviewEvidence]),
    bind(ClassificationSignals, HouseClassificationSignals, [WakeChannel, Metrics]),
    construct(RequestClassification, [
      RunRepository,
      EvidenceCatalogue,
      ClassificationSignals,
      ClassificationPolicy,
      Ids,
    ]),
    construct(ReadRuns, [RunRepository, ClassificationSignals]),
    construct(ReviewSuggestion, [RunRepository, EvidenceCatalogue]),
    construct(CarryRuns, [
      RunRepository,
      ClassifierRunner,
      RunFolders,
      ModelDoor,
      ReapStrays,
      EvidenceCatalogue,
      ClassificationSignals,
      ClassificationPolicy,
      ThisInstance,
      Clock,
    ]),
    construct(CheckRunner, [ClassifierRunner, RunRepository, RunFolders]),
    construct(ClassifierHealth, [CheckRunner]),
  ],
  exports: [CarryRuns],
})
export class EvidenceClassificationModule implements OnModuleInit, OnModuleDestroy {
  constructor(
    private readonly carry: CarryRuns,
    private readonly indicators: HealthIndicators,
    private readonly health: ClassifierHealth,
  ) {}

  onModuleInit(): void {
    this.indicators.add(this.health);
  }

  async onModuleDestroy(): Promise<void> {
    await this.carry.stop();
  }
}

function policyOf(config: Config): ClassificationPolicy {
  return {
    images: config.classifierImages,
    maxRuns: config.classificationMaxRuns,
    deadlineSeconds: config.classificationDeadlineMinutes * 60,
    leaseSeconds: 60,
    maxFiles: MOST_FILES,
  };
}

function foldersOf(config: Config): string {
  return join(resolve(config.dataDir), 'classification');
}

function modelOf({ classifierModelUrl: url, classifierModel: model, classifierModelKey: key }: Config) {
  return url === undefined || model === undefined ? undefined : { url, model, key };
}

function runnerOf(config: Config, folders: RunFolders): ClassifierRunner {
  const root = foldersOf(config);
  const { dockerHost: address, classifierMemoryMib: memoryMib, classifierCpus: cpus } = config;
  const docker = new DockerRunner({ address, installation: () => folders.place(), memoryMib, cpus });
  // Beside this program, wherever it was built to: the classifier is plain JavaScript.
  const program = join(__dirname, '..', '..', 'classifier', 'main.mjs');
  const command = [process.execPath, `--max-old-space-size=${memoryMib}`, program];
  const processes = new ProcessRunner({
    root,
    command,
    cpuSeconds: config.classificationDeadlineMinutes * 60,
    // Beside its heap the program has its code, and what it reads files into.
    memoryMib: memoryMib * 2 + 256,
  });
  if (config.classifierRunner === 'process') return processes;
  return config.classifierRunner === 'docker' ? docker : new ChosenRunner(docker, processes);
}
