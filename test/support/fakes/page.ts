// Test support. How a list ordered newest first is cut into pages in memory.
import type { PageRequest } from '../../../src/schedule/domain/listing';

interface Listed {
  readonly id: string;
  readonly createdAt: Date;
}

export function cutPage<T extends Listed>(rows: readonly T[], { limit, offset, after }: PageRequest): T[] {
  const ordered = [...rows].sort(newestFirst);
  if (after === undefined) return ordered.slice(offset, offset + limit);
  return ordered.filter((row) => newestFirst(after, row) < 0).slice(0, limit);
}

function newestFirst(a: Listed, b: Listed): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.id > b.id ? -1 : a.id < b.id ? 1 : 0);
}
