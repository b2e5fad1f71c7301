// Courier: what speaks against an address, before anybody calls it. How deliveries are brought is in e2e/notifications.
import { GuardedCourier } from '../../../src/notifications/outbound/guarded-courier';
import type { OutboundHttp } from '../../../src/platform/http/outbound-http';

const http = { refusal: () => undefined } as unknown as OutboundHttp;

test('no mail without a mail server', () => {
  expect(new GuardedCourier(http, undefined).refusal('mail', 'mailto:a@b.org')).toContain('HORARIUM_SMTP_URL');
  const mails = { url: 'smtp://mail', from: 'horarium@localhost' };
  expect(new GuardedCourier(http, mails).refusal('mail', 'mailto:a@b.org')).toBeUndefined();
});
