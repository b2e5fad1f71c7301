// Platform. Which Horarium this is, from package.json two folders above, in the sources and in the build alike.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let known: string | undefined;

export function version(): string {
  known ??= (JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string })
    .version;
  return known;
}
