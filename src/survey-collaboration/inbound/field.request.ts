// Inbound. Wire shape of one field of a survey, in the bodies of POST and PATCH. What fits its type is the domain's.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, MaxLength } from 'class-validator';
import { FIELD_TYPES, type FieldInput, LONGEST_TEXT } from '../domain/field';

export class FieldRequest {
  @ApiProperty({ example: 'launch_day', description: 'Its name for programs: small letters, digits, "_".' })
  @IsString()
  @MaxLength(64)
  readonly key!: string;

  @ApiProperty({ example: 'When do we launch?', maxLength: 500 })
  @IsString()
  readonly label!: string;

  @ApiProperty({ enum: FIELD_TYPES, example: 'date' })
  @IsIn(FIELD_TYPES)
  readonly type!: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: 2000 })
  @IsOptional()
  @IsString()
  readonly help?: string | null;

  @ApiPropertyOptional({ default: false, description: 'Counts as missing while it is open; nobody is forced.' })
  @IsOptional()
  @IsBoolean()
  readonly required?: boolean;

  @ApiPropertyOptional({ type: Number, nullable: true, minimum: 1, maximum: LONGEST_TEXT, description: 'Of a text.' })
  @IsOptional()
  @IsInt()
  readonly max_length?: number | null;

  @ApiPropertyOptional({ type: Number, nullable: true, description: 'Of a number.' })
  @IsOptional()
  @IsNumber()
  readonly min?: number | null;

  @ApiPropertyOptional({ type: Number, nullable: true, description: 'Of a number.' })
  @IsOptional()
  @IsNumber()
  readonly max?: number | null;

  @ApiPropertyOptional({ type: [String], nullable: true, description: 'Of a choice: 1 to 100.' })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly options?: string[] | null;

  toInput(): FieldInput {
    const { key, label, type, help, required, max_length: maxLength, min, max, options } = this;
    return { key, label, type, help, required, maxLength, min, max, options };
  }
}
