// Domain. What was answered: the newest version of each field, and how it came to be.

/** Points to a file that is kept elsewhere: a piece of evidence, an item of a drive. */
export interface FileReference {
  readonly file_id: string;
  readonly name: string;
}

/** As it is kept: a day is a text (2027-03-31), a choice the text of its option. */
export type AnswerValue = string | number | FileReference;

export interface Answer {
  readonly fieldKey: string;
  /** Null: an answer that was taken back. */
  readonly value: AnswerValue | null;
  /** 1 for the first; what nobody has answered has version 0. */
  readonly version: number;
  /** Who gave it. */
  readonly userId: string;
  readonly updatedAt: Date;
  /** The survey's sequence number at this change: what is newer than the one that a client has seen, it has missed. */
  readonly rev: number;
}

/** One step of an answer's history. */
export interface AnswerVersion extends Answer {
  readonly oldValue: AnswerValue | null;
  /** Written without regard to the version before, by somebody who may. */
  readonly overwrote: boolean;
}
