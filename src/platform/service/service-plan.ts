// Platform, service. What a service definition must hold, whatever the system: which program, where, as whom.
import { DomainError } from '../../kernel/domain-error';

export interface ServicePlan {
  /** Absolute. */
  readonly node: string;
  /** Absolute: where package.json and dist/ are. */
  readonly project: string;
  readonly dataFolder: string;
  /** Settings are read from here; the definition itself is readable by all, so it holds no secrets. */
  readonly settingsFile: string;
  /** Agents find their programs by it; a service would get a shorter one. */
  readonly path: string;
  readonly home: string;
  /** Longer than the server's own deadline, so that it is never killed in the middle of a graceful stop. */
  readonly stopWithinSeconds: number;
}

/** Where a definition lies and what its system is told. */
export interface ServiceSystem {
  readonly kind: 'systemd user unit' | 'systemd system unit' | 'launchd agent' | 'launchd daemon';
  readonly file: string;
  readonly text: string;
  /** To be typed by a person, in this order. */
  readonly start: readonly string[];
  /** Programs and their arguments, never a line for a shell. */
  readonly stop: readonly (readonly string[])[];
  readonly forget: readonly (readonly string[])[];
  readonly ask: readonly string[];
  /** Where its log is read. */
  readonly log: string;
}

export class ServiceUnsupportedError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'platform.service-unsupported';
}

export class ServiceNotBuiltError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'platform.service-not-built';
}

/** Characters that no service definition can carry in a path. */
export function refuseLineBreaks(plan: ServicePlan): void {
  for (const value of [plan.node, plan.project, plan.dataFolder, plan.settingsFile, plan.path, plan.home]) {
    // eslint-disable-next-line no-control-regex
    if (/[\u0000-\u001f\u007f]/.test(value)) {
      throw new ServiceUnsupportedError(`A control character in ${JSON.stringify(value)} fits into no service file.`);
    }
  }
}
