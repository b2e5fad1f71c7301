// Which project a job is about.
import type { CatalogueProject } from '../domain/catalogue-entry';
import { text, type JobPayload } from '../domain/job';
import type { Catalogue } from '../ports/catalogue';

/** Null: absent or archived, hence nothing is changed for it any more. */
export async function openProject(
  catalogue: Catalogue,
  tenantId: number,
  payload: JobPayload,
): Promise<CatalogueProject | null> {
  const project = await catalogue.project(tenantId, text(payload, 'project_id'));
  return project === null || project.archived ? null : project;
}
