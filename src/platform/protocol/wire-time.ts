// Platform, protocol. How a moment is written in every answer: UTC as `+00:00`, a fraction only when there is one.

export function wireTime(moment: Date): string {
  return moment.toISOString().replace(/(\.000)?Z$/, '+00:00');
}

export function wireTimeOrNull(moment: Date | null): string | null {
  return moment === null ? null : wireTime(moment);
}
