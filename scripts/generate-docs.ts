// `npm run docs:generate`: writes the pages under docs/ that are made from the sources.
import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from './configuration-page';
import { openApiPage } from './openapi-document';

const docs = join(__dirname, '..', 'docs');
mkdirSync(docs, { recursive: true });
writeFileSync(join(docs, 'configuration.md'), configurationPage());
openApiPage().then(
  (page) => writeFileSync(join(docs, 'openapi.json'), page),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
