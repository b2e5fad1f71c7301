// Inbound. What only operators see of tasks: those that cannot be read, whoever they belong to.
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import type { UnreadableTask } from '../domain/unreadable-task';
import { FindUnreadableTasks } from '../usecases/find-unreadable-tasks';

const MOST = 100;

export class UnreadableTaskResponse {
  @ApiProperty({ type: String, example: 'task-0192f0c4a5b67d8e9f00112233445566' })
  readonly id: string;

  @ApiProperty({ type: Number, example: 1 })
  readonly tenant_id: number;

  @ApiProperty({ type: String, example: 'alice' })
  readonly user_id: string;

  @ApiProperty({ type: String, example: 'Morning news' })
  readonly title: string;

  @ApiProperty({ type: String, example: 'failed' })
  readonly status: string;

  @ApiProperty({ type: String, description: 'What is wrong with the stored row, and how to repair it.' })
  readonly error: string;

  constructor({ id, owner, title, status, error }: UnreadableTask) {
    this.id = id;
    this.tenant_id = owner.tenantId;
    this.user_id = owner.userId;
    this.title = title;
    this.status = status;
    this.error = error;
  }
}

@ApiTags('Operations')
@Controller('operations/unreadable-tasks')
export class UnreadableTasksController {
  constructor(private readonly findUnreadable: FindUnreadableTasks) {}

  @Get()
  @RequireRole('operator')
  @ApiOperation({
    summary: 'Tasks that cannot be read',
    description: `Of every tenant, at most ${MOST}. They are left out of their owners’ lists, and never start.`,
  })
  @ApiOkResponse({ type: [UnreadableTaskResponse] })
  @ApiProblems(401, 403, 503)
  async list(): Promise<UnreadableTaskResponse[]> {
    return (await this.findUnreadable.run(MOST)).map((task) => new UnreadableTaskResponse(task));
  }
}
