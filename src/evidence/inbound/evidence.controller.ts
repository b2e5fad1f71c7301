// Inbound. Evidence over HTTP. Files come and go as streams; this process holds a few pieces of one at a time.
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { answerWithFile } from '../../platform/protocol/file-answer';
import { receiveFile } from '../../platform/protocol/multipart';
import { MULTIPART, TakesFile } from '../../platform/protocol/takes-file';
import { AddEvidence } from '../usecases/add-evidence';
import { ReadEvidence } from '../usecases/read-evidence';
import { ReplaceEvidenceContent } from '../usecases/replace-evidence-content';
import { RestoreEvidence } from '../usecases/restore-evidence';
import { SoftDeleteEvidence } from '../usecases/soft-delete-evidence';
import { UpdateEvidence } from '../usecases/update-evidence';
import { ListEvidenceQuery, ReplaceContentForm, UpdateEvidenceRequest, UploadEvidenceForm } from './evidence.request';
import { EvidenceResponse } from './evidence.response';
import { nextCursor, PAGED, tellNext } from '../../platform/protocol/page-query';
import { ARCHIVED, DELETED, EVIDENCE_NOT_FOUND, PROJECT_NOT_FOUND, STORE_AWAY, TOO_LARGE } from './problems';

@ApiTags('Evidence')
@Controller('1.0')
export class EvidenceController {
  constructor(
    private readonly addEvidence: AddEvidence,
    private readonly replaceContent: ReplaceEvidenceContent,
    private readonly updateEvidence: UpdateEvidence,
    private readonly softDelete: SoftDeleteEvidence,
    private readonly restoreEvidence: RestoreEvidence,
    private readonly read: ReadEvidence,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post('projects/:id/evidence')
  @TakesFile()
  @ApiConsumes(MULTIPART)
  @ApiBody({ type: UploadEvidenceForm })
  @ApiOperation({
    summary: 'Upload evidence',
    description: 'A form with one file, the other fields before it. The name is made safe for every file system.',
  })
  @ApiCreatedResponse({ type: EvidenceResponse })
  @ApiProblems(400, 401, 415, 422, 503, PROJECT_NOT_FOUND, ARCHIVED, TOO_LARGE, STORE_AWAY)
  async upload(
    @CurrentActor() actor: UserActor,
    @Param('id') projectId: string,
    @Req() request: Request,
  ): Promise<EvidenceResponse> {
    const { fields, file } = await receiveFile(request, ['task_id', 'name']);
    const { task_id: taskId, name = file.name } = fields;
    const { mimeType, content } = file;
    const input = { projectId, taskId, name, mimeType, content, source: 'upload' } as const;
    return new EvidenceResponse(await this.addEvidence.run(actor, input, this.clock.now()));
  }

  @Get('evidence')
  @ApiOperation({ summary: 'The evidence of your tenant', description: 'Newest first; of a project, of a task.' })
  @ApiOkResponse({ type: [EvidenceResponse], ...PAGED })
  @ApiProblems(401, 422, 503)
  async list(
    @CurrentActor() actor: UserActor,
    @Query() query: ListEvidenceQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EvidenceResponse[]> {
    const page = query.toPage();
    const found = await this.read.list(actor, query.toFilter(), page);
    tellNext(response, nextCursor(found, page));
    return found.map((evidence) => new EvidenceResponse(evidence));
  }

  @Get('evidence/:id')
  @ApiOperation({ summary: 'One piece of evidence', description: 'Also a deleted one.' })
  @ApiOkResponse({ type: EvidenceResponse })
  @ApiProblems(401, 422, 503, EVIDENCE_NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<EvidenceResponse> {
    return new EvidenceResponse(await this.read.one(actor, id));
  }

  @Get('evidence/:id/content')
  @ApiOperation({ summary: 'Download evidence', description: 'Always as an attachment.' })
  @ApiOkResponse({ content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } })
  @ApiProblems(401, 422, 503, EVIDENCE_NOT_FOUND, DELETED, STORE_AWAY)
  async content(@CurrentActor() actor: UserActor, @Param('id') id: string, @Res() response: Response): Promise<void> {
    const { evidence, content } = await this.read.content(actor, id);
    await answerWithFile(response, { ...evidence, content });
  }

  @Put('evidence/:id/content')
  @TakesFile()
  @ApiConsumes(MULTIPART)
  @ApiBody({ type: ReplaceContentForm })
  @ApiOperation({ summary: 'Replace the file of evidence', description: 'Its name stays.' })
  @ApiOkResponse({ type: EvidenceResponse })
  @ApiProblems(400, 401, 415, 422, 503, EVIDENCE_NOT_FOUND, DELETED, TOO_LARGE, STORE_AWAY)
  async replace(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<EvidenceResponse> {
    const { file } = await receiveFile(request, []);
    return new EvidenceResponse(await this.replaceContent.run(actor, id, file, 'upload', this.clock.now()));
  }

  @Patch('evidence/:id')
  @ApiOperation({ summary: 'Rename evidence, or give it to another task', description: 'What is absent stays.' })
  @ApiOkResponse({ type: EvidenceResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, EVIDENCE_NOT_FOUND, DELETED)
  async update(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Body() request: UpdateEvidenceRequest,
  ): Promise<EvidenceResponse> {
    const change = request.toChange();
    return new EvidenceResponse(await this.updateEvidence.run(actor, id, change, 'upload', this.clock.now()));
  }

  @Delete('evidence/:id')
  @ApiOperation({ summary: 'Delete evidence', description: 'Softly: it can be restored.' })
  @ApiOkResponse({ type: EvidenceResponse })
  @ApiProblems(401, 422, 503, EVIDENCE_NOT_FOUND)
  async delete(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<EvidenceResponse> {
    return new EvidenceResponse(await this.softDelete.run(actor, id, 'upload', this.clock.now()));
  }

  @Post('evidence/:id/restore')
  @HttpCode(200)
  @ApiOperation({ summary: 'Restore deleted evidence' })
  @ApiOkResponse({ type: EvidenceResponse })
  @ApiProblems(401, 422, 503, EVIDENCE_NOT_FOUND)
  async restore(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<EvidenceResponse> {
    return new EvidenceResponse(await this.restoreEvidence.run(actor, id, 'upload', this.clock.now()));
  }
}
