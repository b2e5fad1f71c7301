// A Nest application with a few routes, configured exactly as the house is.
import { Body, Controller, Get, HttpException, Module, Param, Patch, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsDefined,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { LoggerModule } from 'nestjs-pino';
import { DomainError, type ErrorKind } from '../../../src/kernel/domain-error';
import type { Config } from '../../../src/platform/config/config';
import { loadConfig } from '../../../src/platform/config/load-config';
import { configureHttp, HTTP_OPTIONS } from '../../../src/platform/http-server';
import { createLogger, loggerParams } from '../../../src/platform/protocol/logging';

export class AnyError extends DomainError {
  readonly code = 'test.any';
  constructor(readonly kind: ErrorKind) {
    super(`a ${kind} thing`, { field: 'thing', cause: new Error('the cause of it') });
  }
}

class Spec {
  @IsOptional()
  @IsString()
  readonly cron?: string;
}

class NoteRequest {
  @IsString()
  @Length(1, 20)
  readonly title!: string;

  @IsDefined()
  @IsObject()
  @ValidateNested()
  @Type(() => Spec)
  readonly schedule_spec!: Spec;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly labels?: string[];

  @IsOptional()
  @IsObject()
  readonly free?: Record<string, unknown>;
}

class PageQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  readonly limit?: number;
}

@Controller('notes')
class NotesController {
  @Post()
  create(@Body() request: NoteRequest): unknown {
    return request;
  }

  @Get()
  list(@Query() query: PageQuery): unknown {
    return query;
  }

  @Get(':id')
  find(@Param('id') id: string): unknown {
    return { id };
  }

  @Patch(':id')
  change(@Param('id') id: string): unknown {
    return { id };
  }
}

@Controller('errors')
class ErrorsController {
  @Get('kind/:kind')
  kind(@Param('kind') kind: ErrorKind): never {
    throw new AnyError(kind);
  }

  @Get('unforeseen')
  unforeseen(): never {
    throw Object.assign(new Error('connect postgres://horarium:hunter2@db failed'), { parameters: ['a prompt'] });
  }

  @Get('framework')
  framework(): never {
    throw new HttpException('gone for good', 410);
  }
}

@Controller('health')
class HealthController {
  @Get('live')
  live(): unknown {
    return { status: 'ok' };
  }
}

export interface SmallApp {
  readonly app: NestExpressApplication;
  /** What was logged, line by line. */
  readonly lines: string[];
}

export async function smallApp(env: Record<string, string> = {}): Promise<SmallApp> {
  const config: Config = loadConfig(env, { machineTimezone: 'UTC' });
  const lines: string[] = [];
  const logger = createLogger(config, { write: (line) => lines.push(line) });

  @Module({
    imports: [LoggerModule.forRoot(loggerParams(logger))],
    controllers: [NotesController, ErrorsController, HealthController],
  })
  class SmallModule {}

  const app = await NestFactory.create<NestExpressApplication>(SmallModule, HTTP_OPTIONS);
  configureHttp(app, config, logger);
  // Listening, since supertest would open and close the server around every request.
  await app.listen(0, '127.0.0.1');
  return { app, lines };
}
