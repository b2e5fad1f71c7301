// Inbound. Wire shape of POST /api/threads.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Length } from 'class-validator';
import type { CreateThreadInput } from '../usecases/create-thread';

export class CreateThreadRequest {
  @ApiPropertyOptional({ type: String, nullable: true, minLength: 1, maxLength: 255, example: 'Release notes' })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  readonly title?: string | null;

  toInput(): CreateThreadInput {
    return { title: this.title ?? null };
  }
}
