// Outbound adapter. A file as a form (RFC 7578) over the port for agents: read twice, once for its checksum, held in memory
// never.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileUnreadableError } from '../domain/errors';
import type { KeptIdentity } from '../domain/identity';
import type { EvidenceServer, FileToSend, SentFile } from '../ports/evidence-server';
import type { JsonServer } from './json-server';

interface KeptBody {
  readonly evidence_id: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
}

const WITHIN_MS = 3_600_000;

export class FormEvidenceServer implements EvidenceServer {
  constructor(private readonly server: JsonServer) {}

  async send(identity: KeptIdentity, file: FileToSend): Promise<SentFile> {
    const { size, sha256 } = await factsOf(file.path);
    const boundary = `horarium-${randomUUID()}`;
    const fields = {
      project_id: file.projectId,
      ...(file.taskId !== undefined && { task_id: file.taskId }),
      ...(file.name !== undefined && { name: file.name }),
      sha256,
    };
    const before = Buffer.from(head(boundary, fields, basename(file.path)));
    const after = Buffer.from(`\r\n--${boundary}--\r\n`);
    const headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': before.length + size + after.length,
    };
    const from = Readable.from(body(before, file.path, size, after), { objectMode: false });
    const kept = await this.server.ask<KeptBody>(identity, 'evidence', {
      stream: { from, headers },
      withinMs: WITHIN_MS,
    });
    if (kept === undefined) throw new Error('no evidence in the answer');
    return { evidenceId: kept.evidence_id, name: kept.name, sizeBytes: kept.size_bytes, sha256: kept.sha256 };
  }
}

function head(boundary: string, fields: Readonly<Record<string, string>>, name: string): string {
  const quoted = name.replace(/[\r\n]/g, '_').replaceAll('"', '%22');
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const file = `Content-Disposition: form-data; name="file"; filename="${quoted}"\r\nContent-Type: application/octet-stream`;
  return `${parts.join('')}--${boundary}\r\n${file}\r\n\r\n`;
}

/** Exactly as many bytes as were announced: a log file may grow meanwhile. */
async function* body(before: Buffer, path: string, size: number, after: Buffer): AsyncGenerator<Buffer> {
  yield before;
  if (size > 0) for await (const piece of createReadStream(path, { end: size - 1 })) yield piece as Buffer;
  yield after;
}

async function factsOf(path: string): Promise<{ size: number; sha256: string }> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new FileUnreadableError(path, 'it is no file');
    const hash = createHash('sha256');
    if (facts.size > 0) await pipeline(createReadStream(path, { end: facts.size - 1 }), hash);
    return { size: facts.size, sha256: hash.digest('hex') };
  } catch (error) {
    if (error instanceof FileUnreadableError) throw error;
    throw new FileUnreadableError(path, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}
