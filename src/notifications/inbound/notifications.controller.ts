// Inbound. Notifications over HTTP: for pages that open, and for clients that were away for long.
import { Body, Controller, Get, HttpCode, Inject, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems, type ProblemExample } from '../../platform/protocol/api-problems';
import { ReadNotifications } from '../usecases/read-notifications';
import { SetPreferences } from '../usecases/set-preferences';
import { ListNotificationsQuery, PreferencesRequest } from './notification.request';
import {
  MarkedReadResponse,
  NotificationResponse,
  PreferencesResponse,
  UnreadCountResponse,
} from './notification.response';
import { nextCursor, PAGED, tellNext } from '../../platform/protocol/page-query';

const NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'notifications.notification-not-found',
  detail: 'There is no notification "note-0192f0c4".',
};

const TASK_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'notifications.task-not-found',
  detail: 'There is no scheduled task "task-0192f0c4".',
};

@ApiTags('Notifications')
@Controller('1.0/notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: ReadNotifications,
    private readonly preferences: SetPreferences,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Your notifications, and those of your tenant', description: 'Newest first.' })
  @ApiOkResponse({ type: [NotificationResponse], ...PAGED })
  @ApiProblems(401, 422, 503)
  async list(
    @CurrentActor() actor: UserActor,
    @Query() query: ListNotificationsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NotificationResponse[]> {
    const listing = query.toListing();
    const found = await this.notifications.list(actor, listing);
    tellNext(response, nextCursor(found, listing));
    return found.map((notification) => new NotificationResponse(notification));
  }

  @Get('unread-count')
  @ApiOperation({ summary: 'How many you have not read' })
  @ApiOkResponse({ type: UnreadCountResponse })
  @ApiProblems(401, 503)
  async unread(@CurrentActor() actor: UserActor): Promise<UnreadCountResponse> {
    return { unread: await this.notifications.unread(actor) };
  }

  @Post('read-all')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark all as read' })
  @ApiOkResponse({ type: MarkedReadResponse })
  @ApiProblems(401, 503)
  async readAll(@CurrentActor() actor: UserActor): Promise<MarkedReadResponse> {
    return { marked: await this.notifications.markAllRead(actor, this.clock.now()) };
  }

  @Get('preferences')
  @ApiOperation({ summary: 'What you want to hear, of all tasks' })
  @ApiOkResponse({ type: PreferencesResponse })
  @ApiProblems(401, 503)
  async readPreferences(@CurrentActor() actor: UserActor): Promise<PreferencesResponse> {
    return new PreferencesResponse(await this.preferences.read(actor, ''));
  }

  @Patch('preferences')
  @ApiOperation({ summary: 'Change what you want to hear, of all tasks' })
  @ApiOkResponse({ type: PreferencesResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503)
  async changePreferences(
    @CurrentActor() actor: UserActor,
    @Body() request: PreferencesRequest,
  ): Promise<PreferencesResponse> {
    return new PreferencesResponse(await this.preferences.change(actor, '', request.toChange(), this.clock.now()));
  }

  @Get('preferences/tasks/:id')
  @ApiOperation({ summary: 'What you want to hear of one task' })
  @ApiOkResponse({ type: PreferencesResponse })
  @ApiProblems(401, 422, 503, TASK_NOT_FOUND)
  async readTaskPreferences(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<PreferencesResponse> {
    return new PreferencesResponse(await this.preferences.read(actor, id));
  }

  @Patch('preferences/tasks/:id')
  @ApiOperation({ summary: 'Change what you want to hear of one task' })
  @ApiOkResponse({ type: PreferencesResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, TASK_NOT_FOUND)
  async changeTaskPreferences(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Body() request: PreferencesRequest,
  ): Promise<PreferencesResponse> {
    return new PreferencesResponse(await this.preferences.change(actor, id, request.toChange(), this.clock.now()));
  }

  @Post(':id/read')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark one as read', description: 'Again: the same.' })
  @ApiOkResponse({ type: NotificationResponse })
  @ApiProblems(401, 422, 503, NOT_FOUND)
  async read(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<NotificationResponse> {
    return new NotificationResponse(await this.notifications.markRead(actor, id, this.clock.now()));
  }
}
