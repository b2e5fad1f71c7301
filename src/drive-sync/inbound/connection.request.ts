import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';

export class AuthorizeQuery {
  @ApiPropertyOptional({ description: 'A shared drive to live in, by its id; without it My Drive of the account.' })
  @IsOptional()
  @IsString()
  @Matches(/^[\w-]{1,128}$/, { message: 'drive_id must be the id of a shared drive' })
  drive_id?: string;
}

/** What Google sends along may grow: only what we read is declared, the rest is let through by the controller. */
export class CallbackQuery {
  @ApiPropertyOptional()
  @IsString()
  @MaxLength(200)
  state!: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  code?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  @MaxLength(200)
  error?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  scope?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  iss?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  authuser?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  hd?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  prompt?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  error_description?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  error_subtype?: string;
}
