// The demonstration: what people do in Horarium, over its API.
import { createHash } from 'node:crypto';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Evidence extends Named {
  readonly project_id: string;
  readonly task_id: string | null;
}

export class DemoApi {
  private readonly hashes = new Map<string, string>();

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** As a person does in a browser. */
  async connect(): Promise<void> {
    const { url } = await this.ask<{ url: string }>('GET', 'integrations/google-drive/tenant/authorize');
    const consent = await fetch(url, { redirect: 'manual' });
    const answer = await fetch(consent.headers.get('location') ?? '');
    if (!answer.ok) throw new Error(`the drive could not be connected: ${await answer.text()}`);
  }

  /** Everything is compared with Drive. */
  rebuild(): Promise<unknown> {
    return this.ask('POST', 'integrations/google-drive/tenant/rebuild-all');
  }

  async project(name: string): Promise<string> {
    return (await this.ask<Named>('POST', 'projects', { name })).id;
  }

  async task(projectId: string, name: string): Promise<string> {
    return (await this.ask<Named>('POST', `projects/${projectId}/tasks`, { name })).id;
  }

  async upload(projectId: string, taskId: string, name: string, text: string): Promise<string> {
    const form = new FormData();
    form.set('task_id', taskId);
    form.set('file', new Blob([text], { type: 'text/plain' }), name);
    return (await this.ask<Named>('POST', `projects/${projectId}/evidence`, form)).id;
  }

  patch(path: string, body: object): Promise<unknown> {
    return this.ask('PATCH', path, body);
  }

  delete(path: string): Promise<unknown> {
    return this.ask('DELETE', path);
  }

  /** In the words of both-sides.ts. */
  async tree(): Promise<string[]> {
    const lines: string[] = [];
    for (const project of await this.ask<Named[]>('GET', 'projects')) {
      lines.push(`${project.name}/`);
      const tasks = await this.ask<Named[]>('GET', `projects/${project.id}/tasks`);
      const names = new Map(tasks.map(({ id, name }) => [id, name]));
      for (const { name } of tasks) lines.push(`${project.name}/${name}/`);
      for (const one of await this.ask<Evidence[]>('GET', `evidence?project_id=${project.id}&limit=200`)) {
        const task = one.task_id === null ? '' : `${names.get(one.task_id) ?? '?'}/`;
        lines.push(`${project.name}/${task}${one.name} ${await this.hashOf(one)}`);
      }
    }
    return lines.sort();
  }

  private async hashOf(
    evidence: Evidence & { readonly sha256?: string; readonly updated_at?: string },
  ): Promise<string> {
    if (evidence.sha256 !== undefined) return evidence.sha256.slice(0, 12);
    const key = `${evidence.id} ${evidence.updated_at ?? ''}`;
    const known = this.hashes.get(key);
    if (known !== undefined) return known;
    const answer = await this.send('GET', `evidence/${evidence.id}/content`);
    const hash = createHash('sha256').update(Buffer.from(await answer.arrayBuffer()));
    const text = hash.digest('hex').slice(0, 12);
    this.hashes.set(key, text);
    return text;
  }

  private async ask<T>(method: string, path: string, body?: object): Promise<T> {
    return (await (await this.send(method, path, body)).json()) as T;
  }

  private async send(method: string, path: string, body?: object): Promise<Response> {
    const form = body instanceof FormData;
    const type: Record<string, string> = form || body === undefined ? {} : { 'Content-Type': 'application/json' };
    const answer = await fetch(`${this.url}/api/1.0/${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, ...type },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
}
