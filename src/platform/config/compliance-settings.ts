// Platform, configuration. The settings of parse jobs and of the classifier. A part of config.ts, which reads as one class.
import { EvidenceSettings } from './evidence-settings';
import { type Kind, Setting } from './setting';
import { bearerToken, line, oneOf, serverAddress, wholeNumber } from './setting-kinds';

const IMAGE = /^[a-z0-9][a-z0-9._/:@-]{0,299}$/;

const images: Kind<readonly string[]> = {
  allowed: 'names of images separated by commas, such as horarium-classifier:1',
  parse(text) {
    const names = text.split(',').map((name) => name.trim());
    return names.every((name) => IMAGE.test(name)) ? names : undefined;
  },
};

const engineAddress: Kind<string> = {
  allowed: 'a URL beginning with unix:/// or tcp://',
  parse: (text) => (/^(unix:\/\/\/.+|tcp:\/\/[\w.-]+(:\d+)?)$/.test(text) ? text : undefined),
};

export class ComplianceSettings extends EvidenceSettings {
  @Setting({
    env: 'PARSE_JOB_TTL_DAYS',
    kind: wholeNumber(1, 3_650),
    default: '7',
    group: 'Evidence',
    doc: 'Parse jobs that are older are deleted softly, nightly at 01:00 UTC.',
  })
  readonly parseJobTtlDays!: number;

  @Setting({
    env: 'PARSE_JOB_PURGE_DAYS',
    kind: wholeNumber(0, 3_650),
    default: '0',
    group: 'Evidence',
    doc: 'How long deleted parse jobs are kept before they are removed for good; 0: for ever.',
  })
  readonly parseJobPurgeDays!: number;

  @Setting({
    env: 'PARSE_JOB_MAX_FILE_MIB',
    kind: wholeNumber(1, 200),
    default: '20',
    group: 'Evidence',
    doc: 'The largest framework document that is taken, in MiB.',
  })
  readonly parseJobMaxFileMib!: number;

  @Setting({
    env: 'CLASSIFIER_RUNNER',
    kind: oneOf('docker', 'auto', 'process'),
    default: 'docker',
    group: 'Evidence',
    doc: 'Who runs the classifier: `docker` only containers; `auto` also processes, without isolation, while no engine answers; `process` always processes.',
  })
  readonly classifierRunner!: 'docker' | 'auto' | 'process';

  @Setting({
    env: 'DOCKER_HOST',
    kind: engineAddress,
    default: 'unix:///var/run/docker.sock',
    group: 'Evidence',
    doc: 'The container engine (Docker Engine API). It must see the same data folder.',
  })
  readonly dockerHost!: string;

  @Setting({
    env: 'CLASSIFIER_IMAGES',
    kind: images,
    default: 'horarium-classifier:1',
    group: 'Evidence',
    doc: 'The images that may be run, the usual one first. None is ever pulled.',
  })
  readonly classifierImages!: readonly string[];

  @Setting({
    env: 'CLASSIFIER_MEMORY_MIB',
    kind: wholeNumber(32, 65_536),
    default: '512',
    group: 'Evidence',
    doc: 'What a run may use of memory, in MiB.',
  })
  readonly classifierMemoryMib!: number;

  @Setting({
    env: 'CLASSIFIER_CPUS',
    kind: wholeNumber(1, 64),
    default: '1',
    group: 'Evidence',
    doc: 'And of processors.',
  })
  readonly classifierCpus!: number;

  @Setting({
    env: 'CLASSIFIER_MODEL_URL',
    kind: serverAddress,
    group: 'Evidence',
    doc: 'An OpenAI-compatible API (`http://127.0.0.1:11434/v1`) that the bundled classifier asks instead of counting words. The classifier has no network: Horarium asks for it.',
  })
  readonly classifierModelUrl?: string;

  @Setting({
    env: 'CLASSIFIER_MODEL',
    kind: line({ max: 200, allowed: 'the name of a model of that API' }),
    group: 'Evidence',
    doc: 'The model that it asks; needed with that address.',
  })
  readonly classifierModel?: string;

  @Setting({
    env: 'CLASSIFIER_MODEL_KEY',
    kind: bearerToken,
    secret: true,
    group: 'Evidence',
    doc: 'The key of that API. The classifier never sees it.',
  })
  readonly classifierModelKey?: string;

  @Setting({
    env: 'CLASSIFICATION_MAX_RUNS',
    kind: wholeNumber(1, 64),
    default: '2',
    group: 'Evidence',
    doc: 'The most classification runs at once in one process; others wait in the queue.',
  })
  readonly classificationMaxRuns!: number;

  @Setting({
    env: 'CLASSIFICATION_DEADLINE_MINUTES',
    kind: wholeNumber(1, 1_440),
    default: '30',
    group: 'Evidence',
    doc: 'A run that takes longer is stopped and counted as failed.',
  })
  readonly classificationDeadlineMinutes!: number;
}
