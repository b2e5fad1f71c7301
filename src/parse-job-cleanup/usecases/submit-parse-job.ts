// Use case. Takes a document to be parsed.
import type { UserActor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import { DocumentTooLargeError, InvalidParseJobError } from '../domain/errors';
import { formatOf, type ParseJob } from '../domain/parse-job';
import type { ParseJobPolicy } from '../domain/parse-job-policy';
import type { ParseJobRepository } from '../ports/parse-job-repository';
import type { ParseJobSignals } from '../ports/parse-job-signals';

export interface SubmitParseJobInput {
  readonly name: string;
  readonly mimeType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export class SubmitParseJob {
  constructor(
    private readonly jobs: ParseJobRepository,
    private readonly signals: ParseJobSignals,
    private readonly policy: ParseJobPolicy,
    private readonly ids: Ids,
  ) {}

  async run(actor: UserActor, input: SubmitParseJobInput, now: Date): Promise<ParseJob> {
    const document = await this.whole(input.content);
    if (document.byteLength === 0) throw new InvalidParseJobError('file', 'file is empty.');
    const name = input.name
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, 200);
    if (name === '') throw new InvalidParseJobError('name', 'name must not be empty.');
    const job: ParseJob = {
      id: prefixedId('parse-job-', this.ids),
      tenantId: actor.tenantId,
      name,
      format: formatOf(name, input.mimeType, document.subarray(0, 100)),
      status: 'queued',
      documentBytes: document.byteLength,
      totalControls: null,
      doneControls: 0,
      error: null,
      createdBy: actor.userId,
      createdAt: now,
      startedAt: null,
      finishedAt: null,
      reviewedBy: null,
      reviewedAt: null,
    };
    await this.jobs.add(actor, job, document);
    this.signals.submitted();
    return job;
  }

  private async whole(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
    const { maxDocumentBytes } = this.policy;
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of content) {
      size += piece.byteLength;
      if (size > maxDocumentBytes) throw new DocumentTooLargeError(maxDocumentBytes);
      pieces.push(piece);
    }
    const document = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      document.set(piece, at);
      at += piece.byteLength;
    }
    return document;
  }
}
