// Outbound, langgraph driver. What a thread of ours is called on a LangGraph server, which takes UUIDs only. Computed, so that
// every process finds it again; and never the name that somebody chose, which could be somebody else's thread there.
import { createHash } from 'node:crypto';
import type { Launch } from '../../ports/assistant-driver';

export function remoteThread({ owner, threadId, assistant }: Launch): string {
  const whose = JSON.stringify(['horarium', owner.tenantId, owner.userId, threadId, assistant.id]);
  const bytes = createHash('sha256').update(whose).digest().subarray(0, 16);
  // Version 8 of RFC 9562: made by a rule of our own.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
