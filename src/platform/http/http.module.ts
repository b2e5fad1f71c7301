// Platform, outgoing HTTP. Hands the guarded way out to every feature that calls addresses which people have given it.
import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import { provide } from '../wiring';
import { OutboundHttp } from './outbound-http';

@Global()
@Module({
  providers: [provide(OutboundHttp, ({ outboundAllow }: Config) => new OutboundHttp(outboundAllow), [Config])],
  exports: [OutboundHttp],
})
export class HttpModule {}
