// Platform, protocol. How an instant is written in an answer: UTC, `+00:00`, a fraction only when there is one.

export function instant(at: Date): string {
  return at.toISOString().replace('.000Z', 'Z').replace('Z', '+00:00');
}

export function instantOrNull(at: Date | null): string | null {
  return at === null ? null : instant(at);
}
