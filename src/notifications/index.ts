// Notifications: what people and programs outside are told of. The front door.
export { NotificationsModule } from './notifications.module';
export { DeliverDue } from './usecases/deliver-due';
export { ForgetNotifications } from './usecases/forget-notifications';
export { PublishDigests } from './usecases/publish-digests';
