// Evidence. Where port meets adapter, and configuration meets policy.
import { Module, type OnModuleInit } from '@nestjs/common';
import { join } from 'node:path';
import { Ids } from '../kernel/ids';
import { Config } from '../platform/config/config';
import { HealthIndicators } from '../platform/health/health-indicators';
import { Sessions } from '../platform/persistence/sessions';
import { bind, construct, provide } from '../platform/wiring';
import { EvidencePolicy } from './domain/evidence-policy';
import { EvidenceStoreHealth } from './inbound/evidence-store-health';
import { EvidenceController } from './inbound/evidence.controller';
import { ProjectsController } from './inbound/projects.controller';
import { FolderFileStore } from './outbound/folder-file-store';
import { S3FileStore } from './outbound/s3-file-store';
import { SqlEvidenceRepository } from './outbound/sql-evidence-repository';
import { SqlProjectRepository } from './outbound/sql-project-repository';
import { EvidenceRepository } from './ports/evidence-repository';
import { FileStore } from './ports/file-store';
import { ProjectRepository } from './ports/project-repository';
import { AddEvidence } from './usecases/add-evidence';
import { CheckFiles } from './usecases/check-files';
import { CreateProject } from './usecases/create-project';
import { EditProjectTasks } from './usecases/edit-project-tasks';
import { EditProjects } from './usecases/edit-projects';
import { LinkDrive } from './usecases/link-drive';
import { ReadEvidence } from './usecases/read-evidence';
import { ReadProjects } from './usecases/read-projects';
import { ReplaceEvidenceContent } from './usecases/replace-evidence-content';
import { RestoreEvidence } from './usecases/restore-evidence';
import { ReviewEvidence } from './usecases/review-evidence';
import { SoftDeleteEvidence } from './usecases/soft-delete-evidence';
import { UpdateEvidence } from './usecases/update-evidence';

const MIB = 1_048_576;

@Module({
  controllers: [ProjectsController, EvidenceController],
  providers: [
    provide(EvidencePolicy, (config: Config) => ({ maxFileBytes: config.evidenceMaxFileMib * MIB }), [Config]),
    provide(FileStore, fileStore, [Config]),
    bind(ProjectRepository, SqlProjectRepository, [Sessions]),
    bind(EvidenceRepository, SqlEvidenceRepository, [Sessions]),
    construct(CreateProject, [ProjectRepository, Ids]),
    construct(EditProjects, [ProjectRepository]),
    construct(EditProjectTasks, [ProjectRepository, Ids]),
    construct(ReadProjects, [ProjectRepository]),
    construct(AddEvidence, [EvidenceRepository, ProjectRepository, FileStore, EvidencePolicy, Ids]),
    construct(ReplaceEvidenceContent, [EvidenceRepository, FileStore, EvidencePolicy, Ids]),
    construct(UpdateEvidence, [EvidenceRepository, ProjectRepository]),
    construct(SoftDeleteEvidence, [EvidenceRepository]),
    construct(RestoreEvidence, [EvidenceRepository]),
    construct(ReviewEvidence, [EvidenceRepository]),
    construct(ReadEvidence, [EvidenceRepository, FileStore]),
    construct(LinkDrive, [ProjectRepository, EvidenceRepository]),
    construct(CheckFiles, [FileStore]),
    construct(EvidenceStoreHealth, [CheckFiles]),
  ],
  exports: [
    CreateProject,
    EditProjects,
    EditProjectTasks,
    ReadProjects,
    AddEvidence,
    ReplaceEvidenceContent,
    UpdateEvidence,
    SoftDeleteEvidence,
    RestoreEvidence,
    ReviewEvidence,
    ReadEvidence,
    LinkDrive,
  ],
})
export class EvidenceModule implements OnModuleInit {
  constructor(
    private readonly indicators: HealthIndicators,
    private readonly health: EvidenceStoreHealth,
  ) {}

  onModuleInit(): void {
    this.indicators.add(this.health);
  }
}

function fileStore(config: Config): FileStore {
  const { s3Endpoint, s3Region, s3AccessKeyId, s3SecretAccessKey } = config;
  if (s3Endpoint === undefined || s3AccessKeyId === undefined || s3SecretAccessKey === undefined) {
    return new FolderFileStore(join(config.dataDir, 'evidence'));
  }
  const secrets = { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey };
  return new S3FileStore({ endpoint: s3Endpoint, region: s3Region, ...secrets });
}
