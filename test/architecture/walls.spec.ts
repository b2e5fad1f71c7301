// The walls between rooms: none has fallen, and each of them would be seen to fall.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findings, wallNames } from './support/cruise';
import { buildSmallHouse, type SmallHouse } from './support/small-house';
import { root } from './support/sources';

it('no import of the house crosses a wall', async () => {
  const folders = ['src', 'test', 'bench'].filter((folder) => existsSync(join(root, folder)));
  expect(await findings(root, folders)).toEqual([]);
}, 120_000);

describe('a small house', () => {
  let house: SmallHouse;
  beforeAll(() => (house = buildSmallHouse()));
  afterAll(() => house.remove());

  it('has no finding as it was built', async () => {
    expect(await findings(house.folder, ['src', 'test'])).toEqual([]);
  }, 120_000);

  it('shows every wrong import that is put into it, each under the name of its wall', async () => {
    const controller = 'src/schedule/inbound/tasks.controller.ts';
    const wrong: readonly [wall: string, from: string, specifier: string, to: string][] = [
      ['kernel-stands-alone', 'src/kernel/token.ts', 'node:crypto', 'crypto'],
      ['platform-knows-no-feature', 'src/platform/clock.ts', '../schedule', 'src/schedule/index.ts'],
      ['domain-is-pure', 'src/schedule/domain/task.ts', 'node:fs', 'fs'],
      ['domain-is-pure', 'src/schedule/domain/task.ts', '@nestjs/common', 'node_modules/@nestjs/common/index.js'],
      [
        'ports-speak-domain',
        'src/schedule/ports/tasks.ts',
        '../usecases/create-task',
        'src/schedule/usecases/create-task.ts',
      ],
      [
        'usecases-see-ports-not-adapters',
        'src/schedule/usecases/create-task.ts',
        '../outbound/sql-tasks',
        'src/schedule/outbound/sql-tasks.ts',
      ],
      [
        'usecases-see-ports-not-adapters',
        'src/schedule/usecases/create-task.ts',
        '@nestjs/common',
        'node_modules/@nestjs/common/index.js',
      ],
      ['inbound-calls-usecases-only', controller, '../ports/tasks', 'src/schedule/ports/tasks.ts'],
      [
        'inbound-calls-usecases-only',
        controller,
        '../../platform/persistence/sessions',
        'src/platform/persistence/sessions.ts',
      ],
      ['only-the-module-file-composes', controller, '../outbound/sql-tasks', 'src/schedule/outbound/sql-tasks.ts'],
      [
        'outbound-fills-ports-only',
        'src/schedule/outbound/sql-tasks.ts',
        '../usecases/create-task',
        'src/schedule/usecases/create-task.ts',
      ],
      [
        'modules-meet-at-the-front-door',
        'src/schedule/outbound/sql-tasks.ts',
        '../../agent-run/domain/task',
        'src/agent-run/domain/task.ts',
      ],
      [
        'scheduler-sees-front-doors',
        'src/scheduler/timetable.ts',
        '../schedule/usecases/create-task',
        'src/schedule/usecases/create-task.ts',
      ],
      ['nobody-leans-on-the-scheduler', 'src/main.ts', './scheduler/timetable', 'src/scheduler/timetable.ts'],
      [
        'clock-only-at-the-doors',
        'src/schedule/outbound/sql-tasks.ts',
        '../../platform/clock',
        'src/platform/clock.ts',
      ],
      [
        'config-only-where-things-are-wired',
        controller,
        '../../platform/config/config',
        'src/platform/config/config.ts',
      ],
      ['wiring-only-in-module-files', controller, '../../platform/wiring', 'src/platform/wiring.ts'],
      ['typeorm-behind-persistence', 'src/schedule/outbound/sql-tasks.ts', 'typeorm', 'node_modules/typeorm/index.js'],
      ['timers-only-in-the-scheduler', controller, '@nestjs/schedule', 'node_modules/@nestjs/schedule/index.js'],
      ['no-development-packages', 'src/main.ts', 'jest', 'node_modules/jest/index.js'],
      ['only-declared-packages', 'src/main.ts', 'undeclared', 'node_modules/undeclared/index.js'],
      ['every-import-resolves', 'src/main.ts', './no-such-file', './no-such-file'],
      ['src-knows-no-test', 'src/main.ts', '../test/support/database', 'test/support/database.ts'],
      ['zero-io-tests', 'test/domain/schedule/task.spec.ts', '../../support/database', 'test/support/database.ts'],
      ['no-circles', 'src/kernel/domain-error.ts', './token', 'src/kernel/token.ts'],
    ];
    expect([...new Set(wrong.map(([wall]) => wall)), 'no-orphans'].sort()).toEqual(wallNames());
    for (const [, from, specifier] of wrong) house.seed(from, `import '${specifier}';`);
    house.seed('src/platform/forgotten.ts', 'export {};');

    const found = await findings(house.folder, ['src', 'test']);

    expect(found).toEqual(
      expect.arrayContaining([
        ...wrong.map(([wall, from, , to]) => `${wall}: ${from} -> ${to}`),
        'no-orphans: src/platform/forgotten.ts -> src/platform/forgotten.ts',
      ]),
    );
  }, 120_000);
});
