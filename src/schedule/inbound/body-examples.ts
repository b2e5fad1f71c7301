// Inbound. Whole bodies for the OpenAPI document: what Swagger UI fills in, and what can be sent as it stands. Examples put
// together from single fields would carry every optional one, and be refused.
import { ApiBody } from '@nestjs/swagger';
import { CreateTaskRequest } from './create-task.request';
import { CronPreviewRequest } from './cron-preview.request';
import { UpdateTaskRequest } from './update-task.request';

const TASK = {
  title: 'Morning news',
  prompt: 'Summarise the news of the last 24 hours in five lines.',
  timezone: 'Europe/Berlin',
};

export const CreateTaskBody = (): MethodDecorator =>
  ApiBody({
    type: CreateTaskRequest,
    examples: {
      'again and again': { value: { ...TASK, schedule_type: 'cron', schedule_spec: { cron: '0 9 * * 1-5' } } },
      'once, in ten minutes': { value: { ...TASK, schedule_type: 'once', schedule_spec: { delay_seconds: 600 } } },
    },
  });

export const UpdateTaskBody = (): MethodDecorator =>
  ApiBody({
    type: UpdateTaskRequest,
    examples: {
      'another time': { value: { schedule_spec: { cron: '30 8 * * *' }, timezone: 'America/New_York' } },
      'another title': { value: { title: 'Evening news' } },
    },
  });

export const DuplicateTaskBody = (): MethodDecorator =>
  ApiBody({
    type: UpdateTaskRequest,
    required: false,
    examples: { 'as it is': { value: {} }, 'under another title': { value: { title: 'Evening news' } } },
  });

export const CronPreviewBody = (): MethodDecorator =>
  ApiBody({
    type: CronPreviewRequest,
    examples: {
      'a cron expression': { value: { cron: '30 2 * * *', timezone: 'America/New_York', count: 5 } },
      'one moment': { value: { run_at: '2030-03-01T09:00', timezone: 'Europe/Berlin' } },
    },
  });
