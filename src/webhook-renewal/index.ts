// Webhook-renewal: keeps Drive's push channels from expiring, and takes their messages. The front door.
export { WebhookRenewalModule } from './webhook-renewal.module';
export { RenewChannels } from './usecases/renew-channels';
