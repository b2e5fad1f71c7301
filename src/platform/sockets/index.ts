// Platform, sockets: live connections of signed-in people. The front door.
export { NotJoinedError } from './auth.request';
export { type Doorway, type LeaveReason, type Peer, type SocketDoor, socketEvent } from './socket-door';
export { Sockets } from './sockets';
export { SocketsModule } from './sockets.module';
