// Platform, configuration. How one setting is declared: beside its property, once, for loading, for the message when
// it is wrong, and for docs/configuration.md.
import 'reflect-metadata';

/** What a setting may be. `parse` answers undefined for a text that it does not allow. */
export interface Kind<T> {
  /** Completes "allowed: …". */
  readonly allowed: string;
  parse(text: string): T | undefined;
}

/** A default that depends on the machine or on other settings. */
export interface DerivedDefault {
  /** As the documentation says it. */
  readonly words: string;
  /** The text one would have written. */
  from(settings: Readonly<Record<string, unknown>>, machine: Machine): string;
}

/** What the loader is told about the machine, so that loading reads nothing by itself. */
export interface Machine {
  readonly timezone: string;
}

export interface SettingSpec<T> {
  readonly env: string;
  readonly kind: Kind<T>;
  /** Written as one would in the environment. None: the setting may be absent. */
  readonly default?: string | DerivedDefault;
  /** Its value appears in no message and no log line. */
  readonly secret?: boolean;
  readonly group: Group;
  readonly doc: string;
}

export const GROUPS = [
  'Server',
  'Database',
  'Identity',
  'Schedule',
  'Surveys',
  'Agents',
  'Evidence',
  'Google Drive',
  'Notifications',
  'Live connections',
  'Outgoing calls',
  'Remote agents',
  'Command line',
] as const;
export type Group = (typeof GROUPS)[number];

export interface DeclaredSetting extends SettingSpec<unknown> {
  readonly property: string;
}

const SETTINGS = Symbol('settings');

/** Declares the property beneath it as a setting; a kind that does not fit the property's type does not compile. */
export function Setting<T>(spec: SettingSpec<T>) {
  return <K extends string>(target: { readonly [P in K]?: T }, property: K): void => {
    const declared = (Reflect.getMetadata(SETTINGS, target) as DeclaredSetting[] | undefined) ?? [];
    Reflect.defineMetadata(SETTINGS, [...declared, { ...spec, property }], target);
  };
}

/** The settings of a class, in the order of their declaration. */
export function settingsOf(owner: { readonly prototype: object }): readonly DeclaredSetting[] {
  return (Reflect.getMetadata(SETTINGS, owner.prototype) as DeclaredSetting[] | undefined) ?? [];
}
