// Notifications and webhooks. Where port meets adapter, and settings meet policy.
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { EvidenceModule, ReadProjects } from '../evidence';
import { Clock } from '../kernel/clock';
import { Ids } from '../kernel/ids';
import { token } from '../kernel/token';
import { Config } from '../platform/config/config';
import { SealedColumns, Sealing } from '../platform/crypto';
import { OutboundHttp } from '../platform/http/outbound-http';
import { OutboxConsumers } from '../platform/outbox';
import { Sessions } from '../platform/persistence/sessions';
import { Sockets } from '../platform/sockets';
import { bind, construct, provide } from '../platform/wiring';
import { ReadRuns, ScheduleModule } from '../schedule';
import { houseTargets } from './domain/house-targets';
import { NotificationFacts, WebhookFacts } from './inbound/facts.listener';
import { NOTIFICATION_NAMESPACE, NotificationGateway } from './inbound/notification.gateway';
import { NotificationsController } from './inbound/notifications.controller';
import { WebhooksController } from './inbound/webhooks.controller';
import { GuardedCourier } from './outbound/guarded-courier';
import { HouseRoomRights } from './outbound/house-room-rights';
import { ScheduleTaskLookup } from './outbound/schedule-task-lookup';
import { SocketLiveRooms } from './outbound/socket-live-rooms';
import { SqlDeliveryRepository } from './outbound/sql-delivery-repository';
import { PREVIOUS_SECRET, SECRET, SqlEndpointRepository } from './outbound/sql-endpoint-repository';
import { SqlNotificationRepository } from './outbound/sql-notification-repository';
import { SqlPreferenceRepository } from './outbound/sql-preference-repository';
import { Courier } from './ports/courier';
import { DeliveryRepository } from './ports/delivery-repository';
import { EndpointRepository } from './ports/endpoint-repository';
import { LiveRooms } from './ports/live-rooms';
import { NotificationRepository } from './ports/notification-repository';
import { PreferenceRepository } from './ports/preference-repository';
import { RoomRights } from './ports/room-rights';
import { TaskLookup } from './ports/task-lookup';
import { DeliverDue } from './usecases/deliver-due';
import { EnterRoom } from './usecases/enter-room';
import { ForgetNotifications } from './usecases/forget-notifications';
import { ManageWebhooks } from './usecases/manage-webhooks';
import { PublishDigests } from './usecases/publish-digests';
import { QueueDeliveries } from './usecases/queue-deliveries';
import { ReadDeliveries } from './usecases/read-deliveries';
import { ReadNotifications } from './usecases/read-notifications';
import { ReloadRoom } from './usecases/reload-room';
import { SetPreferences } from './usecases/set-preferences';
import { TakeFacts } from './usecases/take-facts';

const Chance = token<() => number>('Chance');
const Keeping = token<{ keepDays: number }>('Keeping');

@Module({
  imports: [ScheduleModule, EvidenceModule],
  controllers: [NotificationsController, WebhooksController],
  providers: [
    provide(Chance, () => Math.random, []),
    provide(Keeping, ({ notificationKeepDays: keepDays }: Config) => ({ keepDays }), [Config]),
    bind(NotificationRepository, SqlNotificationRepository, [Sessions, Ids]),
    bind(PreferenceRepository, SqlPreferenceRepository, [Sessions]),
    bind(EndpointRepository, SqlEndpointRepository, [Sessions, Sealing]),
    bind(DeliveryRepository, SqlDeliveryRepository, [Sessions, Ids]),
    bind(TaskLookup, ScheduleTaskLookup, [ReadRuns]),
    bind(RoomRights, HouseRoomRights, [ReadRuns, ReadProjects]),
    provide(LiveRooms, (sockets: Sockets) => new SocketLiveRooms(sockets.doorway(NOTIFICATION_NAMESPACE)), [Sockets]),
    provide(Courier, makeCourier, [OutboundHttp, Config]),
    construct(TakeFacts, [NotificationRepository, LiveRooms]),
    construct(PublishDigests, [NotificationRepository, LiveRooms]),
    construct(ForgetNotifications, [NotificationRepository, DeliveryRepository, Keeping]),
    construct(ReadNotifications, [NotificationRepository]),
    construct(SetPreferences, [PreferenceRepository, TaskLookup]),
    construct(EnterRoom, [RoomRights, NotificationRepository]),
    construct(ReloadRoom, [RoomRights, NotificationRepository, LiveRooms]),
    construct(QueueDeliveries, [DeliveryRepository]),
    construct(DeliverDue, [DeliveryRepository, EndpointRepository, Courier, Clock, Chance]),
    construct(ManageWebhooks, [EndpointRepository, Courier, Ids]),
    construct(ReadDeliveries, [EndpointRepository, DeliveryRepository, DeliverDue, Ids]),
    construct(NotificationGateway, [EnterRoom, ReloadRoom, ReadNotifications]),
    construct(NotificationFacts, [TakeFacts, Clock]),
    construct(WebhookFacts, [QueueDeliveries, Clock]),
  ],
  exports: [PublishDigests, DeliverDue, ForgetNotifications],
})
export class NotificationsModule implements OnModuleInit {
  constructor(
    private readonly sockets: Sockets,
    private readonly gateway: NotificationGateway,
    private readonly consumers: OutboxConsumers,
    private readonly facts: NotificationFacts,
    private readonly webhookFacts: WebhookFacts,
    private readonly sealed: SealedColumns,
    private readonly config: Config,
    @Inject(EndpointRepository) private readonly endpoints: EndpointRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    this.sealed.add(SECRET);
    this.sealed.add(PREVIOUS_SECRET);
    this.consumers.register(this.facts);
    this.consumers.register(this.webhookFacts);
    this.sockets.open(this.gateway);
    const { notifySlack: slack, notifyNtfy: ntfy, notifyMail: mail } = this.config;
    const given = Object.fromEntries(Object.entries({ slack, ntfy, mail }).filter(([, value]) => value !== undefined));
    await this.endpoints.settleHouseTargets(houseTargets(given, this.clock.now()));
  }
}

function makeCourier(http: OutboundHttp, { smtpUrl: url, mailFrom: from }: Config): GuardedCourier {
  return new GuardedCourier(http, url === undefined ? undefined : { url, from });
}
