// Platform, configuration. The settings of evidence and of where its files lie. A part of config.ts, which reads as one
// class.
import { OutgoingSettings } from './outgoing-settings';
import { Setting } from './setting';
import { line, serverAddress, wholeNumber } from './setting-kinds';

const shortText = line({ max: 512, allowed: '1 to 512 characters on one line' });

export class EvidenceSettings extends OutgoingSettings {
  @Setting({
    env: 'EVIDENCE_MAX_FILE_MIB',
    kind: wholeNumber(1, 10_240),
    default: '100',
    group: 'Evidence',
    doc: 'The largest file that is taken as evidence, in MiB.',
  })
  readonly evidenceMaxFileMib!: number;

  @Setting({
    env: 'EVIDENCE_S3_ENDPOINT',
    kind: serverAddress,
    group: 'Evidence',
    doc: 'An S3-compatible store for files, with the bucket as its path. Without it they lie in the data folder.',
  })
  readonly s3Endpoint?: string;

  @Setting({
    env: 'EVIDENCE_S3_REGION',
    kind: shortText,
    default: 'us-east-1',
    group: 'Evidence',
    doc: 'Its region; many stores take any.',
  })
  readonly s3Region!: string;

  @Setting({
    env: 'EVIDENCE_S3_ACCESS_KEY_ID',
    kind: shortText,
    group: 'Evidence',
    doc: 'The key that may read, write and delete objects in the bucket.',
  })
  readonly s3AccessKeyId?: string;

  @Setting({
    env: 'EVIDENCE_S3_SECRET_ACCESS_KEY',
    kind: shortText,
    secret: true,
    group: 'Evidence',
    doc: 'The secret of this key.',
  })
  readonly s3SecretAccessKey?: string;
}
