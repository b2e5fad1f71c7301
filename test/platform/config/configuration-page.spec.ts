import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from '../../../scripts/configuration-page';

it('docs/configuration.md is what the sources say; `npm run docs:generate` makes it', () => {
  const committed = readFileSync(join(__dirname, '../../../docs/configuration.md'), 'utf8');
  expect(committed).toBe(configurationPage());
});
