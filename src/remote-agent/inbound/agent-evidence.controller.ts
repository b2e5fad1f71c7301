// Inbound. Evidence from agents, over their own port: a form with one file, its other fields before it. The file is a stream
// all the way to where it is kept.
import { Controller, Inject, Post, Req, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Clock } from '../../kernel/clock';
import { Public } from '../../platform/auth';
import { receiveFile } from '../../platform/protocol/multipart';
import { RequestInvalidError } from '../../platform/protocol/request-errors';
import { TakesFile } from '../../platform/protocol/takes-file';
import type { AgentActor } from '../usecases/authenticate-agent';
import { type KeptFile, TakeEvidence } from '../usecases/take-evidence';
import { AgentGuard, CurrentAgent } from './agent.guard';

@ApiExcludeController()
@Public()
@UseGuards(AgentGuard)
@Controller('/agent/v1/evidence')
export class AgentEvidenceController {
  constructor(
    private readonly evidence: TakeEvidence,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @TakesFile()
  async take(@CurrentAgent() agent: AgentActor, @Req() request: Request): Promise<KeptFileResponse> {
    const { fields, file } = await receiveFile(request, ['project_id', 'task_id', 'name', 'sha256']);
    const { project_id: projectId, task_id: taskId = null, name = file.name, sha256 } = fields;
    if (projectId === undefined) throw missing('project_id', 'project_id is required, before the file');
    if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) {
      throw missing('sha256', 'sha256 must be 64 hexadecimal digits');
    }
    const { mimeType, content } = file;
    const input = { projectId, taskId, name, mimeType, content, sha256 };
    return new KeptFileResponse(await this.evidence.run(agent, input, this.clock.now()));
  }
}

class KeptFileResponse {
  readonly evidence_id: string;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;

  constructor(kept: KeptFile) {
    this.evidence_id = kept.evidenceId;
    this.project_id = kept.projectId;
    this.task_id = kept.taskId;
    this.name = kept.name;
    this.size_bytes = kept.sizeBytes;
    this.sha256 = kept.sha256;
  }
}

function missing(field: string, message: string): RequestInvalidError {
  return new RequestInvalidError([{ field, message }]);
}
