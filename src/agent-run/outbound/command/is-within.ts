// Outbound. Whether a folder is another one, or lies in it. Both are absolute, and free of links and dots.
import { sep } from 'node:path';

export function isWithin(folder: string, outer: string): boolean {
  return folder === outer || outer === sep || folder.startsWith(outer + sep);
}
