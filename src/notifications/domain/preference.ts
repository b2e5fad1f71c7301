// Domain. What somebody wants to hear: of one task, else of all of theirs, else what most people want.
import type { Wish } from './fact';

export interface Preference {
  readonly notifyOnFailure: boolean | null;
  readonly notifyOnSuccess: boolean | null;
  /** How long notifications of one kind are collected after one was told at once; 0: never. */
  readonly digestSeconds: number | null;
}

export interface EffectivePreference {
  readonly notifyOnFailure: boolean;
  readonly notifyOnSuccess: boolean;
  readonly digestSeconds: number;
}

/** Success is the rule, and a message about each would teach people not to look. */
export const DEFAULT_PREFERENCE: EffectivePreference = {
  notifyOnFailure: true,
  notifyOnSuccess: false,
  digestSeconds: 300,
};

export function effective(ofTask: Preference | undefined, ofUser: Preference | undefined): EffectivePreference {
  return {
    notifyOnFailure: ofTask?.notifyOnFailure ?? ofUser?.notifyOnFailure ?? DEFAULT_PREFERENCE.notifyOnFailure,
    notifyOnSuccess: ofTask?.notifyOnSuccess ?? ofUser?.notifyOnSuccess ?? DEFAULT_PREFERENCE.notifyOnSuccess,
    digestSeconds: ofTask?.digestSeconds ?? ofUser?.digestSeconds ?? DEFAULT_PREFERENCE.digestSeconds,
  };
}

export function wanted(wish: Wish, preference: EffectivePreference): boolean {
  if (wish === 'always') return true;
  return wish === 'failure' ? preference.notifyOnFailure : preference.notifyOnSuccess;
}
