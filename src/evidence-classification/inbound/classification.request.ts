// Inbound. Wire shapes of what is asked about classification.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { QueryNumber } from '../../platform/protocol/query-number';
import { type Cursor, type Decision, DECISIONS } from '../domain/classification-run';
import { InvalidClassificationError } from '../domain/errors';

export const NEXT_CURSOR = 'X-Next-Cursor';

export class ClassificationRequestBody {
  @ApiPropertyOptional({
    type: [String],
    description: 'Evidence of the project; absent: all that is unclassified.',
    example: ['evidence-019870c2f3a47c1e8a5b0d6f2e4c9b72'],
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @ArrayUnique()
  @IsString({ each: true })
  evidence_ids?: string[];

  @ApiPropertyOptional({ type: String, description: 'One of those that the operator allows; absent: the first.' })
  @IsOptional()
  @IsString()
  @MaxLength(300)
  image?: string;
}

export class ListRunsQuery {
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  @MaxLength(80)
  project_id?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @QueryNumber()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  @ApiPropertyOptional({ description: `From the ${NEXT_CURSOR} header of the page before.` })
  @IsOptional()
  @IsString()
  cursor?: string;

  toPage(): { limit: number; after?: Cursor } {
    const limit = this.limit ?? 50;
    return this.cursor === undefined ? { limit } : { limit, after: readCursor(this.cursor) };
  }
}

export class ReviewRequest {
  @ApiProperty({ enum: DECISIONS, example: 'accepted' })
  @IsIn(DECISIONS)
  decision!: Decision;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'The right one, to correct.', example: 'AU' })
  @IsOptional()
  @IsString()
  @MaxLength(20)
  control_family?: string | null;
}

/** Of the last item of a full page. */
export function nextCursor(items: readonly Cursor[], limit: number): string | undefined {
  const last = items.at(-1);
  if (last === undefined || items.length < limit) return undefined;
  return Buffer.from(`${last.createdAt.getTime()} ${last.id}`).toString('base64url');
}

function readCursor(text: string): Cursor {
  const [, time, id] = /^(\d{1,16}) ([\w-]{1,80})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const createdAt = new Date(Number(time));
  if (id === undefined || Number.isNaN(createdAt.getTime())) {
    throw new InvalidClassificationError('cursor', `cursor must be the value of a ${NEXT_CURSOR} header.`);
  }
  return { createdAt, id };
}
