// Inbound. What an agent says while it works, as server-sent events. A reader that does not keep up costs one piece of memory,
// and is sent away in the end; it can go on where it was (Last-Event-ID).
import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { FollowOutput, type OutputEvent } from '../usecases/follow-output';
import { FollowOutputQuery } from './follow-output.request';
import { RUN_NOT_FOUND } from './problems';

/** How long a reader may take for what it was sent. */
const PATIENCE_MS = 30_000;

@ApiTags('Agent runs')
@Controller('agent-runs')
export class RunOutputController {
  constructor(private readonly followOutput: FollowOutput) {}

  @Get(':id/output')
  @ApiOperation({
    summary: 'What an agent says, as it says it',
    description:
      'Server-sent events: `output` with `{stream, text}`, then `end` with `{status, error}` when the run is over. With ' +
      '`?follow` it waits for that; without, it ends with `so-far`. `restart`: what was sent before comes again. A process on ' +
      'another machine than the agent tells all of it at the end.',
  })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiProblems(401, 422, 503, RUN_NOT_FOUND)
  async output(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Query() query: FollowOutputQuery,
    @Res() response: Response,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const position = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0;
    const events = await this.followOutput.run(actor, id, { position, follow: query.stays, gone: gone.signal });
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // A proxy that collects would make a tail of it that comes at the end.
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    for await (const event of events) {
      if (gone.signal.aborted) break;
      if (response.write(wireEvent(event))) continue;
      if (await drained(response, gone.signal)) continue;
      response.destroy();
      return;
    }
    response.end();
  }
}

function wireEvent(event: OutputEvent): string {
  switch (event.type) {
    case 'said':
      return message('output', { stream: event.stream, text: event.text }, event.position);
    case 'end':
      return message('end', { status: event.run.status, error: event.run.fields.end?.error ?? null });
    case 'quiet':
      return ': still at it\n\n';
    default:
      return message(event.type, {});
  }
}

function message(event: string, data: object, id?: number): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function drained(response: Response, gone: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (yes: boolean) => (): void => {
      clearTimeout(timer);
      response.off('drain', onDrain);
      gone.removeEventListener('abort', onGone);
      resolve(yes);
    };
    const onDrain = done(true);
    const onGone = done(false);
    const timer = setTimeout(done(false), PATIENCE_MS);
    response.once('drain', onDrain);
    gone.addEventListener('abort', onGone, { once: true });
  });
}
