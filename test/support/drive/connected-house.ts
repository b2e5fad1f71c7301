// Test support. The whole application with a Drive emulator beside it, and people of tenants that connect it.
import { Readable } from 'node:stream';
import type { Client } from '../app';
import { testApp, type TestApp } from '../app';
import { DrainQueue } from '../../../src/drive-sync';
import { AddEvidence, ReplaceEvidenceContent } from '../../../src/evidence';
import type { UserActor } from '../../../src/kernel/actor';
import { OutboxRelay } from '../../../src/platform/outbox/outbox-relay';
import { DriveEmulator } from './drive-emulator';
import { FOLDER, type EmulatedFile } from './emulated-files';

const ROOT = '/api/1.0/integrations/google-drive';
/** Free ports are taken by asking: the webhook's address has to be known before the application listens. */
export class ConnectedHouse {
  private ahead = 0;

  private constructor(
    readonly house: TestApp,
    readonly drive: DriveEmulator,
  ) {}

  static async open(
    env: Readonly<Record<string, string>> = {},
    through?: (url: string) => Promise<string>,
  ): Promise<ConnectedHouse> {
    const drive = await DriveEmulator.start();
    const house = await testApp({ ...drive.settings(), ...env }, through);
    drive.channels.route = (address) => house.url + new URL(address).pathname;
    return new ConnectedHouse(house, drive);
  }

  async close(): Promise<void> {
    await this.drive.channels.idle();
    await this.house.close();
    await this.drive.close();
  }

  manager(tenantId = 1): Promise<Client> {
    return this.house.as('alice', { tenantId, roles: ['manager'] });
  }

  async connect(tenantId = 1, account = 'owner@example.com', query = ''): Promise<number> {
    const alice = await this.manager(tenantId);
    const { body } = await alice.get(`${ROOT}/tenant/authorize${query}`).expect(200);
    const consent = await fetch(`${(body as { url: string }).url}&login_hint=${account}`, { redirect: 'manual' });
    const back = new URL(consent.headers.get('location') ?? '');
    const answer = await fetch(`${this.house.url}${back.pathname}${back.search}`);
    await answer.text();
    return answer.status;
  }

  /** The application's own worker claims nothing from now on: who works is the test's to say. */
  async stopWorker(): Promise<void> {
    await this.house.app.get(DrainQueue).stop();
  }

  /** The jobs of these workers are for others now. */
  async bury(...owners: string[]): Promise<void> {
    await this.house.database.admin.query(
      `update drive_sync_jobs set lease_expires_at = now() - interval '1 minute' where lease_owner = any ($1)`,
      [owners],
    );
  }

  /** Everything that is known has been worked off: events taken, jobs done, messages delivered. */
  async rest(worker = this.house.app.get(DrainQueue)): Promise<void> {
    const { app } = this.house;
    for (let quiet = 0; quiet < 2;) {
      await this.drive.channels.idle();
      await app.get(OutboxRelay).run(new Date());
      // A worker looks after leases and polls every two seconds; here it is always time.
      this.ahead += 3_000;
      await worker.run(new Date(Date.now() + this.ahead));
      await worker.idle();
      quiet = (await this.busy()) ? 0 : quiet + 1;
    }
  }

  async upload(taskId: string | null, projectId: string, name: string, text: string, tenantId = 1): Promise<string> {
    const input = {
      projectId,
      taskId,
      name,
      source: 'upload',
      mimeType: 'text/plain',
      content: contentOf(text),
    } as const;
    const evidence = await this.house.app.get(AddEvidence, { strict: false }).run(actorOf(tenantId), input, new Date());
    return evidence.id;
  }

  async rewrite(evidenceId: string, text: string, tenantId = 1): Promise<void> {
    const replace = this.house.app.get(ReplaceEvidenceContent, { strict: false });
    await replace.run(actorOf(tenantId), evidenceId, { content: contentOf(text) }, 'upload', new Date());
  }

  /** A folder of Drive by its path beneath the account's root. */
  folder(path: string, space = this.drive.space()): EmulatedFile {
    let at = this.drive.files.files.get(this.drive.files.rootOf(space))!;
    for (const name of path.split('/')) {
      const found = this.drive.files.childrenOf(at.id).find((child) => child.name === name && !child.explicitlyTrashed);
      if (found === undefined) throw new Error(`no ${name} in ${at.name}: ${this.names(at.id).join(', ')}`);
      at = found;
    }
    return at;
  }

  names(folderId: string): string[] {
    const { files } = this.drive;
    return files
      .childrenOf(folderId)
      .filter((file) => !files.trashed(file))
      .map(({ name, mimeType }) => (mimeType === FOLDER ? `${name}/` : name))
      .sort();
  }

  /** Whatever waits for a moment (a back-off, an asked-for pause) is due now. */
  async hurry(): Promise<void> {
    await this.house.database.admin.query(
      `update drive_sync_jobs set next_run_at = now() - interval '1 second' where status = 'PENDING';
       update tenant_drive_integrations set slow_until = null`,
    );
  }

  async busy(): Promise<boolean> {
    await this.hurry();
    const { rows } = await this.house.database.admin.query<{ busy: boolean }>(
      `select exists (select from drive_sync_jobs j join tenant_drive_integrations i using (tenant_id)
                       where j.status = 'IN_PROGRESS' or (j.status = 'PENDING' and i.status = 'CONNECTED'))
           or exists (select from outbox_events e join outbox_consumers c on c.name = 'drive-sync'
                       where e.writer >= c.done_writer and e.type like 'project%' or e.type like 'evidence%' and e.writer >= c.done_writer)
           as busy`,
    );
    return rows[0]?.busy ?? false;
  }
}

function actorOf(tenantId: number): UserActor {
  return { type: 'user', tenantId, userId: 'alice', roles: ['manager'] };
}

function contentOf(text: string): AsyncIterable<Uint8Array> {
  return Readable.from([Buffer.from(text)]);
}
