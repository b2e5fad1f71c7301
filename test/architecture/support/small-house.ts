// Test support for this folder: a house of two features in a temporary folder, with every room and nothing wrong.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

type Files = Readonly<Record<string, string>>;

/** One feature with its five rooms, its module file and its front door. */
function feature(name: string): Files {
  const at = `src/${name}`;
  return {
    [`${at}/domain/task.ts`]: `import { next } from 'cron-parser';
      import { DomainError } from '../../kernel/domain-error';
      export class Task extends DomainError { next = next; }`,
    [`${at}/ports/tasks.ts`]: `import type { Task } from '../domain/task';
      import { token } from '../../kernel/token';
      export interface Tasks { add(task: Task): void }
      export const Tasks = token('Tasks');`,
    [`${at}/usecases/create-task.ts`]: `import type { Tasks } from '../ports/tasks';
      import { Task } from '../domain/task';
      export class CreateTask { constructor(private readonly tasks: Tasks) {} run() { this.tasks.add(new Task()); } }`,
    [`${at}/inbound/tasks.controller.ts`]: `import { Get } from '@nestjs/common';
      import type { Request } from 'express';
      import { readClock } from '../../platform/clock';
      import { CreateTask } from '../usecases/create-task';
      export class TasksController { request?: Request; use = [Get, readClock, CreateTask]; }`,
    [`${at}/outbound/task.row.ts`]: `import { Column } from 'typeorm';
      import { Task } from '../domain/task';
      export const row = [Column, Task];`,
    [`${at}/outbound/sql-tasks.ts`]: `import { row } from './task.row';
      import { Sessions } from '../../platform/persistence/sessions';
      import type { Tasks } from '../ports/tasks';
      export class SqlTasks implements Tasks { add() { return void [row, Sessions]; } }`,
    [`${at}/${name}.module.ts`]: `import { Config } from '../platform/config/config';
      import { bind } from '../platform/wiring';
      import { TasksController } from './inbound/tasks.controller';
      import { SqlTasks } from './outbound/sql-tasks';
      import { Tasks } from './ports/tasks';
      export class FeatureModule { parts = [Config, bind, TasksController, SqlTasks, Tasks]; }`,
    [`${at}/index.ts`]: `export { FeatureModule } from './${name}.module';
      export { CreateTask } from './usecases/create-task';`,
  };
}

const PACKAGES = ['cron-parser', '@nestjs/common', '@nestjs/schedule', 'typeorm', 'pg'];
const DEVELOPMENT = ['express', 'jest'];

const HOUSE: Files = {
  'package.json': JSON.stringify({
    dependencies: Object.fromEntries(PACKAGES.map((name) => [name, '1.0.0'])),
    devDependencies: Object.fromEntries(DEVELOPMENT.map((name) => [name, '1.0.0'])),
  }),
  'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', experimentalDecorators: true } }),
  ...Object.fromEntries(
    [...PACKAGES, ...DEVELOPMENT, 'undeclared'].flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' })],
      [`node_modules/${name}/index.js`, 'module.exports = {};'],
    ]),
  ),
  'src/kernel/token.ts': `import type { DomainError } from './domain-error'; export const token = (name: string): DomainError | string => name;`,
  'src/kernel/domain-error.ts': `export class DomainError {}`,
  'src/platform/clock.ts': `import { DomainError } from '../kernel/domain-error'; export const readClock = () => new DomainError();`,
  'src/platform/wiring.ts': `import { token } from '../kernel/token'; export const bind = token;`,
  'src/platform/config/config.ts': `import { token } from '../../kernel/token'; export class Config { t = token; }`,
  'src/platform/persistence/sessions.ts': `import { Client } from 'pg'; export class Sessions { c = Client; }`,
  ...feature('schedule'),
  ...feature('agent-run'),
  'src/scheduler/timetable.ts': `import { Cron } from '@nestjs/schedule';
    import { CreateTask } from '../schedule';
    export const timetable = [Cron, CreateTask];`,
  'src/app.module.ts': `import { FeatureModule } from './schedule';
    import { FeatureModule as Other } from './agent-run';
    import { timetable } from './scheduler/timetable';
    export const app = [FeatureModule, Other, timetable];`,
  'src/main.ts': `import { app } from './app.module'; void app;`,
  'test/support/database.ts': `import { Client } from 'pg'; export const database = Client;`,
  'test/domain/schedule/task.spec.ts': `import { Task } from '../../../src/schedule/domain/task'; void Task;`,
  'test/contract/schedule/tasks.spec.ts': `import { database } from '../../support/database'; void database;`,
};

export interface SmallHouse {
  readonly folder: string;
  /** Adds a line to a file, or makes a file of it. */
  seed(file: string, line: string): void;
  remove(): void;
}

export function buildSmallHouse(): SmallHouse {
  const folder = mkdtempSync(join(tmpdir(), 'horarium-walls-'));
  const files: Record<string, string> = { ...HOUSE };
  const write = (file: string): void => {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, files[file] ?? '');
  };
  Object.keys(files).forEach(write);
  return {
    folder,
    seed(file, line) {
      files[file] = `${files[file] ?? ''}\n${line}\n`;
      write(file);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
