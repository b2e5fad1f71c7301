// Inbound. What users learn of an assistant: never its command, nor what it is given.
import { ApiProperty } from '@nestjs/swagger';
import { DRIVER_KINDS, type AssistantSummary, type DriverKind } from '../domain/assistant';

export class AssistantResponse {
  @ApiProperty({ example: 'default', description: 'What a task names as `assistant_id`.' })
  readonly id: string;

  @ApiProperty({ example: 'Sample agent (bundled)' })
  readonly title: string;

  @ApiProperty({ enum: DRIVER_KINDS, example: 'command' })
  readonly driver: DriverKind;

  constructor({ id, title, driver }: AssistantSummary) {
    this.id = id;
    this.title = title;
    this.driver = driver;
  }
}
