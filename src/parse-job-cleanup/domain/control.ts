// Domain. A control as a framework states it.

export interface ControlText {
  readonly controlId: string;
  readonly family: string | null;
  readonly title: string;
  readonly statement: string;
}

const LONGEST = { controlId: 100, family: 200, title: 500, statement: 20_000 };

/** Cut to what can be stored and shown: a framework with one endless text is still a framework. */
export function control(parts: ControlText): ControlText {
  const { controlId, family, title, statement } = parts;
  return {
    controlId: plain(controlId, LONGEST.controlId),
    family: family === null ? null : plain(family, LONGEST.family) || null,
    title: plain(title, LONGEST.title),
    statement: statement.replaceAll('\0', '').trim().slice(0, LONGEST.statement),
  };
}

function plain(text: string, longest: number): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest);
}
