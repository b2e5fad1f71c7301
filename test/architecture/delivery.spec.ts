// What builds the image and starts the services names only what exists. There is no container engine in these tests.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { linesOf, read, root } from './support/sources';

const instructions = read('Dockerfile')
  .replaceAll(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
  .map((line) => ({ word: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1).trim() }));
const all = (word: string): string[] => instructions.filter((i) => i.word === word).map(({ rest }) => rest);

describe('the Dockerfile', () => {
  const copied = all('COPY')
    .filter((rest) => !rest.startsWith('--from='))
    .flatMap((rest) => rest.split(/\s+/).slice(0, -1));

  it('copies files that exist, and that .dockerignore lets through', () => {
    const letThrough = linesOf('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect([...new Set(copied)].sort()).toEqual([...letThrough].sort());
  });

  it('starts a file that the build produces', () => {
    const [command = ''] = all('CMD');
    const [node, ...words] = JSON.parse(command) as string[];
    const file = words.at(-1) ?? '';
    expect(node).toBe('node');
    expect(existsSync(join(root, file.replace(/^dist\//, 'src/').replace(/\.js$/, '.ts')))).toBe(true);
  });

  it('runs as an ordinary user, under an init, and is ended by SIGTERM', () => {
    expect(all('USER')).toEqual(['node']);
    expect(all('ENTRYPOINT').join()).toContain('tini');
    expect(all('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(all('HEALTHCHECK').join()).toContain('/health/ready');
  });
});

describe('compose.yaml', () => {
  interface Service {
    image?: string;
    environment?: Record<string, string>;
    healthcheck?: unknown;
    build?: string;
    volumes?: string[];
    depends_on?: Record<string, { condition: string }>;
  }
  const { services, volumes } = parse(read('compose.yaml')) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };

  it('starts Horarium when its database is healthy', () => {
    for (const [name, { condition }] of Object.entries(services.horarium?.depends_on ?? {})) {
      expect(condition).toBe('service_healthy');
      expect(services[name]?.healthcheck).toBeDefined();
    }
    expect(Object.keys(services.horarium?.depends_on ?? {})).not.toEqual([]);
  });

  it('mounts volumes that it declares and files that exist', () => {
    const sources = Object.values(services).flatMap((service) =>
      (service.volumes ?? []).map((v) => v.split(':')[0] ?? ''),
    );
    expect(sources.filter((s) => (s.startsWith('.') ? !existsSync(join(root, s)) : !(s in volumes)))).toEqual([]);
  });

  it('asks for each secret, and .env.example names each variable', () => {
    const asked = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map((match) => match[1] ?? '');
    const offered = linesOf('.env.example').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    expect([...new Set(asked)].sort()).toEqual([...offered].sort());
    // No secret has a value to be forgotten there.
    expect(linesOf('.env.example').filter((line) => /(PASSWORD|SECRET|KEY)=./.test(line))).toEqual([]);
  });
});

it('scripts that are run by name are executable', () => {
  const scripts = ['.ci/run', ...readdirSync(join(root, 'deploy')).map((name) => join('deploy', name))];
  expect(scripts.filter((path) => (statSync(join(root, path)).mode & 0o111) === 0)).toEqual([]);
});
