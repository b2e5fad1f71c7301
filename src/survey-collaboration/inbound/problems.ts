// Inbound. Refusals that several operations share, for the OpenAPI document.
import type { ProblemExample } from '../../platform/protocol/api-problems';

export const SURVEY_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'survey-collaboration.survey-not-found',
  detail: 'There is no survey survey-0192f0c4a5b67d8e9f00112233445566.',
  field: 'survey_id',
};

export const FIELD_NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'survey-collaboration.field-not-found',
  detail: 'This survey has no field "colour".',
  field: 'field_key',
};

export const NOT_YOURS: ProblemExample = {
  status: 403,
  code: 'survey-collaboration.not-yours-to-manage',
  detail: 'Only the owner of the survey or a manager may change it.',
};

export const CLOSED: ProblemExample = {
  status: 409,
  code: 'survey-collaboration.survey-closed',
  detail: 'This survey is closed: its answers can be read, and no longer changed.',
};

export const LOCKED: ProblemExample = {
  status: 409,
  code: 'survey-collaboration.locked',
  detail: 'bob is editing this field.',
  field: 'field_key',
};

export const CONFLICT: ProblemExample = {
  status: 409,
  code: 'survey-collaboration.conflict',
  detail: 'This field was changed by bob in the meantime; it is at version 4.',
  field: 'base_version',
};

export const ANSWERED: ProblemExample = {
  status: 409,
  code: 'survey-collaboration.field-answered',
  detail: 'Already answered, so it cannot be removed or get another type: budget.',
  field: 'fields',
};
