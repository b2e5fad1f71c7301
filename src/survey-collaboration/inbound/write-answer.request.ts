// Inbound. Wire shape of PUT /api/1.0/surveys/{id}/answers/{field}.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsInt, IsOptional, Matches, Max, Min, ValidateIf } from 'class-validator';

export const OP_ID = /^[\w.:-]{1,100}$/;

export class WriteAnswerRequest {
  @ApiProperty({
    description: 'As the field’s type wants it; null takes the answer back.',
    nullable: true,
    oneOf: [
      { type: 'string' },
      { type: 'number' },
      { type: 'object', properties: { file_id: { type: 'string' }, name: { type: 'string' } } },
    ],
    example: '2027-03-31',
  })
  @ValidateIf((_, value) => value !== null)
  @IsDefined()
  readonly value!: unknown;

  @ApiProperty({
    type: Number,
    nullable: true,
    example: 0,
    description:
      'The version that you saw; 0 when nobody had answered. null writes over whatever is there: for the owner and ' +
      'managers, and it shows in the history.',
  })
  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(0)
  @Max(2_147_483_647)
  readonly base_version!: number | null;

  @ApiPropertyOptional({ description: 'The same again is written once.', example: '7c1e8a5b-1' })
  @IsOptional()
  @Matches(OP_ID, { message: 'op_id must be 1 to 100 letters, digits, "_", ".", ":" or "-"' })
  readonly op_id?: string;
}
