-- The schema that the migrations add up to. Written by `npm run schema:write`, compared in the tests; never run by
-- the house itself. The migration runner's own table `migrations` is left out.

set check_function_bodies = off;

-- Schemas and extensions

create schema compliance;

-- Functions

CREATE OR REPLACE FUNCTION public.horarium_alive(instance text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select exists (select from instances i where i.id = instance and i.stopped_at is null) $function$;

CREATE OR REPLACE FUNCTION public.horarium_is_system()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select coalesce(nullif(current_setting('app.is_super_admin', true), ''), 'f') = 't' $function$;

CREATE OR REPLACE FUNCTION public.horarium_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
AS $function$ select clock_timestamp() $function$;

CREATE OR REPLACE FUNCTION public.horarium_settled_writer()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$ select horarium_writer(pg_snapshot_xmin(pg_current_snapshot())) $function$;

CREATE OR REPLACE FUNCTION public.horarium_tenant()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('app.tenant_id', true), '')::integer $function$;

CREATE OR REPLACE FUNCTION public.horarium_user()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('app.user_id', true), '') $function$;

CREATE OR REPLACE FUNCTION public.horarium_writer(transaction_id xid8)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$ select transaction_id::text::bigint + (select shift from outbox_shift) $function$;

-- Tables

create table compliance.agent_authorities (
  id uuid not null,
  certificate text not null,
  private_key bytea not null,
  created_at timestamp with time zone not null,
  trusted_until timestamp with time zone,
  constraint agent_authorities_pkey PRIMARY KEY (id)
);

create table compliance.agent_certificates (
  serial text not null,
  tenant_id integer not null,
  agent_id uuid not null,
  key_fingerprint text not null,
  issued_at timestamp with time zone not null,
  not_before timestamp with time zone not null,
  not_after timestamp with time zone not null,
  first_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  replaces_all boolean not null,
  constraint agent_certificates_pkey PRIMARY KEY (serial)
);

create table compliance.agent_last_seen (
  agent_id uuid not null,
  tenant_id integer not null,
  last_seen_at timestamp with time zone,
  clock_skew_ms integer,
  constraint agent_last_seen_pkey PRIMARY KEY (agent_id)
)
with (fillfactor=50);

create table compliance.agent_presence (
  agent_id uuid not null,
  tenant_id integer not null,
  announced_online boolean not null,
  announced_at timestamp with time zone,
  constraint agent_presence_pkey PRIMARY KEY (agent_id)
);

create table compliance.agents (
  id uuid not null,
  tenant_id integer not null,
  name text not null,
  version text not null,
  labels text[] not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  suspected_clone_at timestamp with time zone,
  deleted_at timestamp with time zone,
  changed_at timestamp with time zone default horarium_now() not null,
  constraint agents_pkey PRIMARY KEY (id)
);

create table compliance.enrollment_tokens (
  id uuid not null,
  tenant_id integer not null,
  token_hash bytea not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  max_uses integer not null,
  agent_id uuid,
  labels text[] not null,
  withdrawn_at timestamp with time zone,
  constraint enrollment_tokens_pkey PRIMARY KEY (id),
  constraint uq_enrollment_tokens_hash UNIQUE (token_hash)
);

create table compliance.enrollment_uses (
  token_id uuid not null,
  tenant_id integer not null,
  key_fingerprint text not null,
  agent_id uuid not null,
  used_at timestamp with time zone not null,
  constraint enrollment_uses_pkey PRIMARY KEY (token_id, key_fingerprint)
);

create table compliance.evidence_classification_files (
  run_id text not null,
  evidence_id text not null,
  tenant_id integer not null,
  nr integer not null,
  name text not null,
  state text not null,
  control_family text,
  confidence real,
  words text[] default '{}'::text[] not null,
  error text,
  review_decision text,
  reviewed_family text,
  reviewed_by text,
  reviewed_at timestamp with time zone,
  constraint evidence_classification_files_pkey PRIMARY KEY (run_id, evidence_id),
  constraint ck_classification_files_decision CHECK (review_decision = ANY (ARRAY['accepted'::text, 'corrected'::text, 'rejected'::text])),
  constraint ck_classification_files_state CHECK (state = ANY (ARRAY['pending'::text, 'done'::text, 'failed'::text]))
);

create table compliance.evidence_classification_runs (
  id text not null,
  tenant_id integer not null,
  project_id text not null,
  status text not null,
  reason text,
  detail text,
  runner text,
  image text not null,
  total_files integer not null,
  done_files integer default 0 not null,
  failed_files integer default 0 not null,
  place text,
  lease_owner text,
  lease_expires_at timestamp with time zone,
  deadline_at timestamp with time zone,
  cancel_requested_at timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint evidence_classification_runs_pkey PRIMARY KEY (id),
  constraint ck_classification_runs_status CHECK (status = ANY (ARRAY['queued'::text, 'starting'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))
);

create table compliance.framework_controls (
  job_id text not null,
  nr integer not null,
  tenant_id integer not null,
  control_id text not null,
  family text,
  title text not null,
  statement text not null,
  constraint framework_controls_pkey PRIMARY KEY (job_id, nr)
);

create table compliance.framework_parse_jobs (
  id text not null,
  tenant_id integer not null,
  name text not null,
  format text not null,
  status text not null,
  document bytea,
  document_bytes integer not null,
  total_controls integer,
  done_controls integer default 0 not null,
  error text,
  attempts integer default 0 not null,
  lease_owner text,
  lease_expires_at timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  reviewed_by text,
  reviewed_at timestamp with time zone,
  deleted_at timestamp with time zone,
  restored_at timestamp with time zone,
  constraint framework_parse_jobs_pkey PRIMARY KEY (id),
  constraint ck_framework_parse_jobs_format CHECK (format = ANY (ARRAY['oscal'::text, 'csv'::text])),
  constraint ck_framework_parse_jobs_status CHECK (status = ANY (ARRAY['queued'::text, 'parsing'::text, 'awaiting_review'::text, 'approved'::text, 'rejected'::text, 'failed'::text]))
);

create table agent_runs (
  id text not null,
  request_id text not null,
  tenant_id integer not null,
  user_id text not null,
  thread_id text not null,
  assistant_id text not null,
  instance_id text,
  status text not null,
  metadata jsonb not null,
  working_folder text,
  turn_of text,
  prompt text not null,
  presumed boolean default false not null,
  error text,
  reason text,
  exit_code integer,
  result text,
  usage jsonb,
  output text,
  output_dropped_bytes bigint default 0 not null,
  error_output text,
  error_output_dropped_bytes bigint default 0 not null,
  cancel_requested_at timestamp with time zone,
  retry_at timestamp with time zone,
  attempt integer default 1 not null,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint agent_runs_pkey PRIMARY KEY (id),
  constraint ck_agent_runs_reason CHECK (reason = ANY (ARRAY['rate_limited'::text, 'input_needed'::text])),
  constraint ck_agent_runs_status CHECK (status = ANY (ARRAY['queued'::text, 'starting'::text, 'running'::text, 'success'::text, 'error'::text, 'timeout'::text, 'interrupted'::text])),
  constraint uq_agent_run_request UNIQUE (request_id)
);

create table agent_sessions (
  id text not null,
  tenant_id integer not null,
  user_id text not null,
  thread_id text,
  assistant_id text,
  instance_id text not null,
  ttl_seconds integer not null,
  opened_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  end_reason text,
  constraint agent_sessions_pkey PRIMARY KEY (id),
  constraint ck_agent_sessions_end_reason CHECK (end_reason = ANY (ARRAY['closed'::text, 'expired'::text, 'process_lost'::text]))
);

create table api_keys (
  id text not null,
  tenant_id integer not null,
  user_id text not null,
  name text not null,
  roles text[] not null,
  key_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint uq_api_keys_hash UNIQUE (key_hash)
);

create table drive_channels (
  id uuid not null,
  tenant_id integer not null,
  generation integer not null,
  drive_id text,
  token_hash bytea not null,
  resource_id text,
  state text not null,
  expires_at timestamp with time zone not null,
  messages integer default 0 not null,
  last_message_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null,
  stopped_at timestamp with time zone,
  constraint drive_channels_pkey PRIMARY KEY (id),
  constraint ck_drive_channels_state CHECK (state = ANY (ARRAY['creating'::text, 'active'::text, 'stopped'::text, 'failed'::text]))
);

create table drive_consents (
  state_hash bytea not null,
  tenant_id integer not null,
  user_id text not null,
  drive_id text,
  verifier bytea not null,
  expires_at timestamp with time zone not null,
  constraint drive_consents_pkey PRIMARY KEY (state_hash)
);

create table drive_items (
  tenant_id integer not null,
  drive_file_id text not null,
  kind text not null,
  subject_id text,
  parent_id text,
  target_id text,
  state text not null,
  name text not null,
  our_name text,
  our_sha256 text,
  revision text,
  version bigint,
  problem text,
  problem_revision text,
  updated_at timestamp with time zone not null,
  constraint pk_drive_items PRIMARY KEY (tenant_id, drive_file_id),
  constraint ck_drive_items_kind CHECK (kind = ANY (ARRAY['root'::text, 'project'::text, 'task'::text, 'file'::text])),
  constraint ck_drive_items_state CHECK (state = ANY (ARRAY['creating'::text, 'present'::text, 'gone'::text]))
);

create table drive_sync_jobs (
  id bigint generated always as identity not null,
  uid uuid default gen_random_uuid() not null,
  tenant_id integer not null,
  job_type character varying(40) not null,
  payload jsonb default '{}'::jsonb not null,
  status character varying(20) default 'PENDING'::character varying not null,
  priority integer default 0 not null,
  retry_count integer default 0 not null,
  max_retries integer default 8 not null,
  next_run_at timestamp with time zone default now() not null,
  last_error text,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  dedupe_key text,
  item_key text,
  cancel_requested_by text,
  lease_owner text,
  lease_token uuid,
  lease_expires_at timestamp with time zone,
  takeovers integer default 0 not null,
  constraint drive_sync_jobs_pkey PRIMARY KEY (id),
  constraint ck_drive_sync_jobs_status CHECK (status::text = ANY (ARRAY['PENDING'::text, 'IN_PROGRESS'::text, 'SUCCESS'::text, 'FAILED'::text, 'SKIPPED'::text])),
  constraint uq_drive_sync_jobs_uid UNIQUE (uid)
);

create table evidence (
  id text not null,
  tenant_id integer not null,
  project_id text not null,
  task_id text,
  name text not null,
  mime_type text not null,
  size_bytes bigint not null,
  sha256 text not null,
  storage_key text not null,
  source text not null,
  drive_file_id text,
  status text not null,
  control_family text,
  review_decision text,
  reviewed_by text,
  reviewed_at timestamp with time zone,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  deleted_by text,
  constraint evidence_pkey PRIMARY KEY (id),
  constraint ck_evidence_review_decision CHECK (review_decision = ANY (ARRAY['accepted'::text, 'corrected'::text, 'rejected'::text])),
  constraint ck_evidence_source CHECK (source = ANY (ARRAY['upload'::text, 'drive'::text, 'agent'::text])),
  constraint ck_evidence_status CHECK (status = ANY (ARRAY['unclassified'::text, 'classified'::text]))
);

create table instances (
  id text not null,
  host text not null,
  pid integer not null,
  data_folder text,
  version text not null,
  session_key bigint,
  identity jsonb,
  started_at timestamp with time zone not null,
  heartbeat_at timestamp with time zone not null,
  stopped_at timestamp with time zone,
  ended text,
  constraint instances_pkey PRIMARY KEY (id),
  constraint ck_instances_ended CHECK (ended = ANY (ARRAY['stopped'::text, 'replaced'::text, 'crashed'::text, 'silent'::text]))
);

create table notification_facts (
  event_id bigint not null,
  taken_at timestamp with time zone not null,
  constraint notification_facts_pkey PRIMARY KEY (event_id)
);

create table notification_preferences (
  tenant_id integer not null,
  user_id text not null,
  task_id text default ''::text not null,
  notify_on_failure boolean,
  notify_on_success boolean,
  digest_seconds integer,
  updated_at timestamp with time zone not null,
  constraint notification_preferences_pkey PRIMARY KEY (tenant_id, user_id, task_id)
);

create table notification_reads (
  tenant_id integer not null,
  user_id text not null,
  notification_id text not null,
  read_at timestamp with time zone not null,
  constraint notification_reads_pkey PRIMARY KEY (tenant_id, user_id, notification_id)
);

create table notification_rooms (
  tenant_id integer not null,
  room text not null,
  last_seq bigint not null,
  constraint notification_rooms_pkey PRIMARY KEY (tenant_id, room)
);

create table notifications (
  id text not null,
  tenant_id integer not null,
  room text not null,
  user_id text,
  seq bigint,
  kind text not null,
  title text not null,
  data jsonb not null,
  op_id text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone,
  constraint notifications_pkey PRIMARY KEY (id)
);

create table outbox_consumers (
  name text not null,
  done_writer bigint not null,
  window_writer bigint,
  window_id bigint default 0 not null,
  lease_owner text,
  lease_expires_at timestamp with time zone,
  constraint outbox_consumers_pkey PRIMARY KEY (name)
);

create table outbox_events (
  id bigint generated always as identity not null,
  tenant_id integer not null,
  type text not null,
  payload jsonb not null,
  occurred_at timestamp with time zone not null,
  writer bigint default horarium_writer(pg_current_xact_id()) not null,
  constraint outbox_events_pkey PRIMARY KEY (id)
);

create table outbox_retries (
  consumer text not null,
  tenant_id integer not null,
  event_id bigint not null,
  failures integer not null,
  retry_at timestamp with time zone not null,
  last_error text,
  constraint outbox_retries_pkey PRIMARY KEY (consumer, tenant_id, event_id)
);

create table outbox_shift (
  only_row boolean default true not null,
  shift bigint not null,
  constraint outbox_shift_pkey PRIMARY KEY (only_row),
  constraint ck_outbox_shift_only_row CHECK (only_row)
);

create table outside_runs (
  agent_run_id text not null,
  request_id text not null,
  tenant_id integer not null,
  user_id text not null,
  assistant_id text not null,
  kind text not null,
  token_hash text,
  lease_seconds integer,
  claim_timeout_seconds integer not null,
  timeout_seconds integer not null,
  offered_at timestamp with time zone not null,
  claimed_at timestamp with time zone,
  claimed_by text,
  tries integer not null,
  lease_expires_at timestamp with time zone,
  give_up_at timestamp with time zone not null,
  cancel_reason text,
  report jsonb,
  ended_at timestamp with time zone,
  constraint outside_runs_pkey PRIMARY KEY (agent_run_id),
  constraint ck_outside_runs_kind CHECK (kind = ANY (ARRAY['pull'::text, 'handed-over'::text])),
  constraint uq_outside_run_request UNIQUE (request_id)
);

create table project_tasks (
  id text not null,
  tenant_id integer not null,
  project_id text not null,
  name text not null,
  control_family text,
  drive_folder_id text,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint project_tasks_pkey PRIMARY KEY (id)
);

create table projects (
  id text not null,
  tenant_id integer not null,
  name text not null,
  drive_folder_id text,
  created_by text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  constraint projects_pkey PRIMARY KEY (id)
);

create table runtime_facts (
  name text not null,
  value text not null,
  updated_at timestamp with time zone not null,
  constraint runtime_facts_pkey PRIMARY KEY (name)
);

create table scheduled_task_runs (
  id text not null,
  task_id text not null,
  tenant_id integer not null,
  user_id text not null,
  thread_id text not null,
  agent_run_id text,
  instance_id text,
  trigger text not null,
  status text not null,
  reason text,
  error text,
  presumed boolean default false not null,
  late_reason text,
  scheduled_for timestamp with time zone not null,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint scheduled_task_runs_pkey PRIMARY KEY (id),
  constraint ck_scheduled_task_runs_status CHECK (status = ANY (ARRAY['waiting'::text, 'queued'::text, 'running'::text, 'success'::text, 'failed'::text, 'interrupted'::text, 'skipped'::text])),
  constraint ck_scheduled_task_runs_trigger CHECK (trigger = ANY (ARRAY['scheduled'::text, 'manual'::text]))
);

create table scheduled_task_states (
  task_id text not null,
  tenant_id integer not null,
  user_id text not null,
  status text not null,
  next_run_at timestamp with time zone,
  lease_owner text,
  lease_expires_at timestamp with time zone,
  last_run_at timestamp with time zone,
  last_run_id text,
  last_thread_id text,
  last_error text,
  run_count integer default 0 not null,
  missed_occurrences integer default 0 not null,
  failures_in_a_row integer default 0 not null,
  version integer default 1 not null,
  constraint scheduled_task_states_pkey PRIMARY KEY (task_id),
  constraint ck_scheduled_task_states_status CHECK (status = ANY (ARRAY['enabled'::text, 'paused'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))
);

create table scheduled_tasks (
  id text not null,
  tenant_id integer not null,
  user_id text not null,
  title text not null,
  prompt text not null,
  assistant_id text not null,
  context_mode text not null,
  thread_id text,
  working_folder text,
  schedule_type text not null,
  schedule_spec jsonb not null,
  timezone text not null,
  overlap_policy text default 'skip'::text not null,
  misfire_grace_seconds integer,
  queue_timeout_seconds integer,
  recurring boolean default true not null,
  session_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint scheduled_tasks_pkey PRIMARY KEY (id)
);

create table survey_answer_versions (
  survey_id text not null,
  rev bigint not null,
  field_key text not null,
  version integer not null,
  tenant_id integer not null,
  user_id text not null,
  value jsonb,
  old_value jsonb,
  overwrote boolean not null,
  op_id text,
  created_at timestamp with time zone not null,
  constraint survey_answer_versions_pkey PRIMARY KEY (survey_id, rev)
);

create table survey_answers (
  survey_id text not null,
  field_key text not null,
  tenant_id integer not null,
  user_id text not null,
  value jsonb,
  version integer not null,
  rev bigint not null,
  updated_at timestamp with time zone not null,
  constraint survey_answers_pkey PRIMARY KEY (survey_id, field_key)
);

create table survey_locks (
  survey_id text not null,
  field_key text not null,
  tenant_id integer not null,
  user_id text not null,
  session text not null,
  held boolean not null,
  fence bigint not null,
  renewed_at timestamp with time zone not null,
  announced_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ends_as text not null,
  constraint survey_locks_pkey PRIMARY KEY (survey_id, field_key),
  constraint ck_survey_locks_ends_as CHECK (ends_as = ANY (ARRAY['expired'::text, 'disconnected'::text]))
)
with (fillfactor=70);

create table survey_presence (
  survey_id text not null,
  user_id text not null,
  session text not null,
  tenant_id integer not null,
  connection text not null,
  seen_until timestamp with time zone not null,
  constraint survey_presence_pkey PRIMARY KEY (survey_id, user_id, session)
)
with (fillfactor=70);

create table surveys (
  id text not null,
  tenant_id integer not null,
  user_id text not null,
  title text not null,
  description text,
  fields jsonb not null,
  audience text not null,
  members text[] not null,
  status text not null,
  rev bigint default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint surveys_pkey PRIMARY KEY (id),
  constraint ck_surveys_audience CHECK (audience = ANY (ARRAY['members'::text, 'tenant'::text])),
  constraint ck_surveys_status CHECK (status = ANY (ARRAY['open'::text, 'closed'::text]))
)
with (fillfactor=70);

create table tenant_drive_integrations (
  tenant_id integer not null,
  status text not null,
  generation integer default 1 not null,
  account_email text,
  drive_id text,
  root_folder_id text,
  refresh_token bytea,
  access_token bytea,
  access_expires_at timestamp with time zone,
  scope text,
  page_token text,
  slow_until timestamp with time zone,
  slow_steps integer default 0 not null,
  last_sync_at timestamp with time zone,
  last_error text,
  connected_by text,
  connected_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint tenant_drive_integrations_pkey PRIMARY KEY (tenant_id),
  constraint ck_tenant_drive_integrations_status CHECK (status = ANY (ARRAY['DISCONNECTED'::text, 'CONNECTED'::text, 'NEEDS_RECONNECT'::text]))
);

create table tenants (
  id integer generated by default as identity not null,
  name text not null,
  created_at timestamp with time zone not null,
  constraint tenants_pkey PRIMARY KEY (id),
  constraint uq_tenants_name UNIQUE (name)
);

create table thread_messages (
  id bigint generated always as identity not null,
  thread_id text not null,
  tenant_id integer not null,
  user_id text not null,
  agent_run_id text,
  role text not null,
  content text not null,
  created_at timestamp with time zone not null,
  constraint thread_messages_pkey PRIMARY KEY (id),
  constraint ck_thread_messages_role CHECK (role = ANY (ARRAY['user'::text, 'assistant'::text, 'system'::text, 'tool'::text]))
);

create table threads (
  id text not null,
  tenant_id integer not null,
  user_id text not null,
  title text,
  agent_sessions jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint threads_pkey PRIMARY KEY (id)
);

create table timetable_turns (
  name text not null,
  holder text,
  taken_at timestamp with time zone not null,
  instant timestamp with time zone,
  finished_at timestamp with time zone,
  failed boolean default false not null,
  constraint timetable_turns_pkey PRIMARY KEY (name)
);

create table webhook_deliveries (
  id text not null,
  tenant_id integer not null,
  endpoint_id text not null,
  event_id bigint,
  type text not null,
  payload jsonb not null,
  occurred_at timestamp with time zone not null,
  state text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone,
  give_up_at timestamp with time zone,
  lease_expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  last_status integer,
  last_error text,
  last_answer text,
  last_duration_ms integer,
  constraint webhook_deliveries_pkey PRIMARY KEY (id)
);

create table webhook_endpoints (
  id text not null,
  tenant_id integer not null,
  name text not null,
  target text not null,
  url text not null,
  event_types text[] not null,
  secret bytea,
  previous_secret bytea,
  previous_secret_until timestamp with time zone,
  enabled boolean not null,
  disabled_reason text,
  failing_since timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (id)
);

-- Foreign keys

alter table compliance.agent_certificates add constraint fk_agent_certificates_agent
  FOREIGN KEY (agent_id) REFERENCES compliance.agents(id);
alter table compliance.agent_last_seen add constraint fk_agent_last_seen_agent
  FOREIGN KEY (agent_id) REFERENCES compliance.agents(id);
alter table compliance.agent_presence add constraint fk_agent_presence_agent
  FOREIGN KEY (agent_id) REFERENCES compliance.agents(id);
alter table compliance.agents add constraint fk_agents_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table compliance.enrollment_tokens add constraint fk_enrollment_tokens_agent
  FOREIGN KEY (agent_id) REFERENCES compliance.agents(id);
alter table compliance.enrollment_tokens add constraint fk_enrollment_tokens_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table compliance.enrollment_uses add constraint fk_enrollment_uses_token
  FOREIGN KEY (token_id) REFERENCES compliance.enrollment_tokens(id) ON DELETE CASCADE;
alter table compliance.evidence_classification_files add constraint fk_classification_files_run
  FOREIGN KEY (run_id) REFERENCES compliance.evidence_classification_runs(id) ON DELETE CASCADE;
alter table compliance.evidence_classification_runs add constraint fk_classification_runs_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table compliance.framework_controls add constraint fk_framework_controls_job
  FOREIGN KEY (job_id) REFERENCES compliance.framework_parse_jobs(id) ON DELETE CASCADE;
alter table compliance.framework_parse_jobs add constraint fk_framework_parse_jobs_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table agent_sessions add constraint fk_agent_sessions_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table api_keys add constraint fk_api_keys_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table drive_channels add constraint fk_drive_channels_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table drive_consents add constraint fk_drive_consents_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE;
alter table drive_items add constraint fk_drive_items_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table drive_sync_jobs add constraint fk_drive_sync_jobs_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table evidence add constraint fk_evidence_project
  FOREIGN KEY (project_id) REFERENCES projects(id);
alter table evidence add constraint fk_evidence_task
  FOREIGN KEY (task_id) REFERENCES project_tasks(id);
alter table notification_reads add constraint fk_notification_reads_notification
  FOREIGN KEY (notification_id) REFERENCES notifications(id) ON DELETE CASCADE;
alter table outbox_retries add constraint fk_outbox_retries_consumer
  FOREIGN KEY (consumer) REFERENCES outbox_consumers(name) ON DELETE CASCADE;
alter table outbox_retries add constraint fk_outbox_retries_event
  FOREIGN KEY (event_id) REFERENCES outbox_events(id);
alter table project_tasks add constraint fk_project_tasks_project
  FOREIGN KEY (project_id) REFERENCES projects(id);
alter table projects add constraint fk_projects_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table scheduled_task_states add constraint fk_scheduled_task_states_task
  FOREIGN KEY (task_id) REFERENCES scheduled_tasks(id) ON DELETE CASCADE;
alter table scheduled_tasks add constraint fk_scheduled_tasks_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table survey_answer_versions add constraint fk_survey_answer_versions_survey
  FOREIGN KEY (survey_id) REFERENCES surveys(id) ON DELETE CASCADE;
alter table survey_answers add constraint fk_survey_answers_survey
  FOREIGN KEY (survey_id) REFERENCES surveys(id) ON DELETE CASCADE;
alter table survey_locks add constraint fk_survey_locks_survey
  FOREIGN KEY (survey_id) REFERENCES surveys(id) ON DELETE CASCADE;
alter table survey_presence add constraint fk_survey_presence_survey
  FOREIGN KEY (survey_id) REFERENCES surveys(id) ON DELETE CASCADE;
alter table surveys add constraint fk_surveys_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table tenant_drive_integrations add constraint fk_tenant_drive_integrations_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);
alter table webhook_deliveries add constraint fk_webhook_deliveries_endpoint
  FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE;
alter table webhook_endpoints add constraint fk_webhook_endpoints_tenant
  FOREIGN KEY (tenant_id) REFERENCES tenants(id);

-- Indexes (those of primary keys and unique constraints stand with their tables)

CREATE UNIQUE INDEX uq_agent_authorities_signing ON compliance.agent_authorities USING btree ((trusted_until IS NULL)) WHERE trusted_until IS NULL;
CREATE INDEX ix_agent_certificates_agent ON compliance.agent_certificates USING btree (agent_id, issued_at DESC);
CREATE INDEX ix_agent_certificates_end ON compliance.agent_certificates USING btree (not_after);
CREATE INDEX ix_agent_certificates_revoked ON compliance.agent_certificates USING btree (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX ix_agents_changed ON compliance.agents USING btree (changed_at);
CREATE INDEX ix_agents_tenant ON compliance.agents USING btree (tenant_id, created_at DESC, id DESC);
CREATE INDEX ix_enrollment_tokens_tenant ON compliance.enrollment_tokens USING btree (tenant_id, created_at DESC);
CREATE INDEX ix_classification_runs_open ON compliance.evidence_classification_runs USING btree (created_at, id) WHERE status = ANY (ARRAY['queued'::text, 'starting'::text, 'running'::text]);
CREATE INDEX ix_classification_runs_project ON compliance.evidence_classification_runs USING btree (project_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX uq_classification_run_active ON compliance.evidence_classification_runs USING btree (project_id) WHERE status = ANY (ARRAY['queued'::text, 'starting'::text, 'running'::text]);
CREATE INDEX ix_framework_parse_jobs_age ON compliance.framework_parse_jobs USING btree (created_at) WHERE deleted_at IS NULL;
CREATE INDEX ix_framework_parse_jobs_deleted ON compliance.framework_parse_jobs USING btree (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX ix_framework_parse_jobs_open ON compliance.framework_parse_jobs USING btree (created_at) WHERE (status = ANY (ARRAY['queued'::text, 'parsing'::text])) AND deleted_at IS NULL;
CREATE INDEX ix_framework_parse_jobs_tenant ON compliance.framework_parse_jobs USING btree (tenant_id, created_at DESC, id DESC);
CREATE INDEX ix_agent_runs_open ON agent_runs USING btree (instance_id) WHERE status = ANY (ARRAY['starting'::text, 'running'::text]);
CREATE INDEX ix_agent_runs_queued ON agent_runs USING btree (thread_id, created_at, id) WHERE status = 'queued'::text;
CREATE INDEX ix_agent_runs_retry ON agent_runs USING btree (retry_at) WHERE retry_at IS NOT NULL AND status = 'running'::text;
CREATE INDEX ix_agent_runs_thread ON agent_runs USING btree (thread_id, created_at DESC, id DESC);
CREATE INDEX ix_agent_runs_usage ON agent_runs USING gin (metadata jsonb_path_ops) WHERE usage IS NOT NULL;
CREATE UNIQUE INDEX uq_agent_run_active_thread ON agent_runs USING btree (thread_id) WHERE (status = ANY (ARRAY['starting'::text, 'running'::text])) AND turn_of IS NULL;
CREATE INDEX ix_agent_sessions_open ON agent_sessions USING btree (expires_at) WHERE closed_at IS NULL;
CREATE INDEX ix_agent_sessions_user ON agent_sessions USING btree (tenant_id, user_id, opened_at DESC, id DESC) WHERE closed_at IS NULL;
CREATE INDEX ix_api_keys_user ON api_keys USING btree (tenant_id, user_id, created_at DESC);
CREATE INDEX ix_drive_channels_open ON drive_channels USING btree (expires_at) WHERE state = ANY (ARRAY['creating'::text, 'active'::text]);
CREATE INDEX ix_drive_channels_tenant ON drive_channels USING btree (tenant_id, created_at DESC);
CREATE INDEX ix_drive_consents_expiry ON drive_consents USING btree (expires_at);
CREATE INDEX ix_drive_items_parent ON drive_items USING btree (tenant_id, parent_id, drive_file_id);
CREATE INDEX ix_drive_items_target ON drive_items USING btree (tenant_id, target_id) WHERE target_id IS NOT NULL;
CREATE UNIQUE INDEX uq_drive_items_subject ON drive_items USING btree (tenant_id, kind, subject_id) WHERE subject_id IS NOT NULL;
CREATE INDEX ix_drive_sync_jobs_finished ON drive_sync_jobs USING btree (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX ix_drive_sync_jobs_item ON drive_sync_jobs USING btree (tenant_id, item_key, id) WHERE (status::text = ANY (ARRAY['PENDING'::text, 'IN_PROGRESS'::text])) AND item_key IS NOT NULL;
CREATE INDEX ix_drive_sync_jobs_leased ON drive_sync_jobs USING btree (tenant_id, lease_expires_at) WHERE status::text = 'IN_PROGRESS'::text;
CREATE INDEX ix_drive_sync_jobs_tenant ON drive_sync_jobs USING btree (tenant_id, id DESC);
CREATE INDEX ix_drive_sync_jobs_waiting ON drive_sync_jobs USING btree (tenant_id, priority DESC, id) WHERE status::text = 'PENDING'::text;
CREATE UNIQUE INDEX uq_drive_sync_jobs_item ON drive_sync_jobs USING btree (tenant_id, item_key) WHERE status::text = 'IN_PROGRESS'::text AND item_key IS NOT NULL;
CREATE UNIQUE INDEX uq_drive_sync_jobs_waiting ON drive_sync_jobs USING btree (tenant_id, dedupe_key) WHERE status::text = 'PENDING'::text AND dedupe_key IS NOT NULL;
CREATE INDEX ix_evidence_project ON evidence USING btree (project_id, created_at DESC, id DESC);
CREATE INDEX ix_evidence_task ON evidence USING btree (task_id, created_at DESC, id DESC) WHERE task_id IS NOT NULL;
CREATE UNIQUE INDEX uq_evidence_drive_file ON evidence USING btree (tenant_id, drive_file_id) WHERE drive_file_id IS NOT NULL;
CREATE INDEX ix_instances_alive ON instances USING btree (heartbeat_at) WHERE stopped_at IS NULL;
CREATE INDEX ix_notification_facts_taken ON notification_facts USING btree (taken_at);
CREATE INDEX ix_notification_reads_notification ON notification_reads USING btree (notification_id);
CREATE INDEX ix_notifications_created ON notifications USING btree (created_at);
CREATE INDEX ix_notifications_due ON notifications USING btree (due_at) WHERE seq IS NULL;
CREATE INDEX ix_notifications_kind ON notifications USING btree (tenant_id, room, kind, created_at DESC) WHERE seq IS NOT NULL;
CREATE UNIQUE INDEX uq_notifications_digest ON notifications USING btree (tenant_id, room, kind) WHERE seq IS NULL;
CREATE UNIQUE INDEX uq_notifications_op ON notifications USING btree (tenant_id, room, op_id) WHERE op_id IS NOT NULL;
CREATE UNIQUE INDEX uq_notifications_seq ON notifications USING btree (tenant_id, room, seq);
CREATE INDEX ix_outbox_events_writer ON outbox_events USING btree (writer, id);
CREATE INDEX ix_outbox_retries_event ON outbox_retries USING btree (event_id);
CREATE INDEX ix_outside_runs_ended ON outside_runs USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX ix_outside_runs_waiting ON outside_runs USING btree (tenant_id, assistant_id, offered_at, agent_run_id) WHERE kind = 'pull'::text AND claimed_at IS NULL AND report IS NULL;
CREATE INDEX ix_project_tasks_project ON project_tasks USING btree (project_id, created_at, id);
CREATE UNIQUE INDEX uq_project_tasks_drive_folder ON project_tasks USING btree (tenant_id, drive_folder_id) WHERE drive_folder_id IS NOT NULL;
CREATE INDEX ix_projects_tenant ON projects USING btree (tenant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX uq_projects_drive_folder ON projects USING btree (tenant_id, drive_folder_id) WHERE drive_folder_id IS NOT NULL;
CREATE INDEX ix_scheduled_task_runs_task ON scheduled_task_runs USING btree (task_id, created_at DESC, id DESC);
CREATE INDEX ix_scheduled_task_runs_user ON scheduled_task_runs USING btree (tenant_id, user_id, created_at DESC, id DESC);
CREATE INDEX ix_scheduled_task_runs_waiting ON scheduled_task_runs USING btree (thread_id, created_at, id) WHERE status = 'waiting'::text;
CREATE UNIQUE INDEX uq_scheduled_task_run_active ON scheduled_task_runs USING btree (task_id) WHERE status = ANY (ARRAY['queued'::text, 'running'::text]);
CREATE UNIQUE INDEX uq_scheduled_task_run_occurrence ON scheduled_task_runs USING btree (task_id, scheduled_for) WHERE trigger = 'scheduled'::text;
CREATE UNIQUE INDEX uq_scheduled_task_run_waiting ON scheduled_task_runs USING btree (task_id) WHERE status = 'waiting'::text;
CREATE INDEX ix_scheduled_task_states_alarm ON scheduled_task_states USING btree (task_id) WHERE status = 'enabled'::text AND next_run_at IS NULL;
CREATE INDEX ix_scheduled_task_states_due ON scheduled_task_states USING btree (next_run_at, task_id) WHERE next_run_at IS NOT NULL AND (status = ANY (ARRAY['enabled'::text, 'running'::text]));
CREATE INDEX ix_scheduled_tasks_session ON scheduled_tasks USING btree (session_id) WHERE session_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX ix_scheduled_tasks_thread ON scheduled_tasks USING btree (thread_id) WHERE thread_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX ix_scheduled_tasks_user ON scheduled_tasks USING btree (tenant_id, user_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX uq_survey_answer_versions_op ON survey_answer_versions USING btree (survey_id, user_id, op_id) WHERE op_id IS NOT NULL;
CREATE UNIQUE INDEX uq_survey_answer_versions_version ON survey_answer_versions USING btree (survey_id, field_key, version);
CREATE INDEX ix_survey_locks_held ON survey_locks USING btree (expires_at) WHERE held;
CREATE INDEX ix_survey_presence_connection ON survey_presence USING btree (connection);
CREATE INDEX ix_surveys_tenant ON surveys USING btree (tenant_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX ix_thread_messages_thread ON thread_messages USING btree (thread_id, id);
CREATE INDEX ix_threads_user ON threads USING btree (tenant_id, user_id, created_at DESC, id DESC);
CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries USING btree (next_attempt_at) WHERE state = 'waiting'::text;
CREATE INDEX ix_webhook_deliveries_ended ON webhook_deliveries USING btree (ended_at) WHERE state <> 'waiting'::text;
CREATE INDEX ix_webhook_deliveries_lease ON webhook_deliveries USING btree (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_log ON webhook_deliveries USING btree (endpoint_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX uq_webhook_deliveries_event ON webhook_deliveries USING btree (endpoint_id, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX ix_webhook_endpoints_tenant ON webhook_endpoints USING btree (tenant_id, created_at DESC, id DESC);

-- Views

create view tenant_google_drive_integrations as
 SELECT i.tenant_id,
    i.status,
    i.account_email AS google_account_email,
    i.drive_id AS shared_drive_id,
    i.root_folder_id,
    i.page_token AS start_page_token,
    c.id::text AS webhook_channel_id,
    c.resource_id AS webhook_resource_id,
    c.expires_at AS webhook_expiration,
    i.last_sync_at,
    i.last_error,
    i.connected_by,
    i.connected_at,
    i.created_at,
    i.updated_at
   FROM tenant_drive_integrations i
     LEFT JOIN LATERAL ( SELECT c_1.id,
            c_1.tenant_id,
            c_1.generation,
            c_1.drive_id,
            c_1.token_hash,
            c_1.resource_id,
            c_1.state,
            c_1.expires_at,
            c_1.messages,
            c_1.last_message_at,
            c_1.last_error,
            c_1.created_at,
            c_1.stopped_at
           FROM drive_channels c_1
          WHERE c_1.tenant_id = i.tenant_id AND c_1.state = 'active'::text
          ORDER BY c_1.expires_at DESC
         LIMIT 1) c ON true;
create view compliance.remote_agents as
 SELECT a.id,
    a.tenant_id,
    a.name,
    a.version,
    a.labels,
    a.created_at,
    a.disabled_at,
    a.suspected_clone_at,
    s.last_seen_at,
    s.clock_skew_ms
   FROM compliance.agents a
     LEFT JOIN compliance.agent_last_seen s ON s.agent_id = a.id
  WHERE a.deleted_at IS NULL;

-- Row-level security

alter table compliance.agent_authorities enable row level security;
alter table compliance.agent_authorities force row level security;
alter table compliance.agent_certificates enable row level security;
alter table compliance.agent_certificates force row level security;
alter table compliance.agent_last_seen enable row level security;
alter table compliance.agent_last_seen force row level security;
alter table compliance.agent_presence enable row level security;
alter table compliance.agent_presence force row level security;
alter table compliance.agents enable row level security;
alter table compliance.agents force row level security;
alter table compliance.enrollment_tokens enable row level security;
alter table compliance.enrollment_tokens force row level security;
alter table compliance.enrollment_uses enable row level security;
alter table compliance.enrollment_uses force row level security;
alter table compliance.evidence_classification_files enable row level security;
alter table compliance.evidence_classification_files force row level security;
alter table compliance.evidence_classification_runs enable row level security;
alter table compliance.evidence_classification_runs force row level security;
alter table compliance.framework_controls enable row level security;
alter table compliance.framework_controls force row level security;
alter table compliance.framework_parse_jobs enable row level security;
alter table compliance.framework_parse_jobs force row level security;
alter table agent_runs enable row level security;
alter table agent_runs force row level security;
alter table agent_sessions enable row level security;
alter table agent_sessions force row level security;
alter table api_keys enable row level security;
alter table api_keys force row level security;
alter table drive_channels enable row level security;
alter table drive_channels force row level security;
alter table drive_consents enable row level security;
alter table drive_consents force row level security;
alter table drive_items enable row level security;
alter table drive_items force row level security;
alter table drive_sync_jobs enable row level security;
alter table drive_sync_jobs force row level security;
alter table evidence enable row level security;
alter table evidence force row level security;
alter table notification_preferences enable row level security;
alter table notification_preferences force row level security;
alter table notification_reads enable row level security;
alter table notification_reads force row level security;
alter table notification_rooms enable row level security;
alter table notification_rooms force row level security;
alter table notifications enable row level security;
alter table notifications force row level security;
alter table outbox_events enable row level security;
alter table outbox_events force row level security;
alter table outbox_retries enable row level security;
alter table outbox_retries force row level security;
alter table outside_runs enable row level security;
alter table outside_runs force row level security;
alter table project_tasks enable row level security;
alter table project_tasks force row level security;
alter table projects enable row level security;
alter table projects force row level security;
alter table scheduled_task_runs enable row level security;
alter table scheduled_task_runs force row level security;
alter table scheduled_task_states enable row level security;
alter table scheduled_task_states force row level security;
alter table scheduled_tasks enable row level security;
alter table scheduled_tasks force row level security;
alter table survey_answer_versions enable row level security;
alter table survey_answer_versions force row level security;
alter table survey_answers enable row level security;
alter table survey_answers force row level security;
alter table survey_locks enable row level security;
alter table survey_locks force row level security;
alter table survey_presence enable row level security;
alter table survey_presence force row level security;
alter table surveys enable row level security;
alter table surveys force row level security;
alter table tenant_drive_integrations enable row level security;
alter table tenant_drive_integrations force row level security;
alter table tenants enable row level security;
alter table tenants force row level security;
alter table thread_messages enable row level security;
alter table thread_messages force row level security;
alter table threads enable row level security;
alter table threads force row level security;
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
alter table webhook_endpoints enable row level security;
alter table webhook_endpoints force row level security;

-- Policies

create policy agent_authorities_fence on compliance.agent_authorities as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system))
  with check (( SELECT horarium_is_system() AS horarium_is_system));
create policy agent_certificates_fence on compliance.agent_certificates as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy agent_last_seen_fence on compliance.agent_last_seen as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy agent_presence_fence on compliance.agent_presence as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy agents_fence on compliance.agents as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy enrollment_tokens_fence on compliance.enrollment_tokens as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy enrollment_uses_fence on compliance.enrollment_uses as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy evidence_classification_files_fence on compliance.evidence_classification_files as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy evidence_classification_runs_fence on compliance.evidence_classification_runs as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy framework_controls_fence on compliance.framework_controls as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy framework_parse_jobs_fence on compliance.framework_parse_jobs as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy agent_runs_fence on agent_runs as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy agent_sessions_fence on agent_sessions as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy api_keys_fence on api_keys as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy drive_channels_fence on drive_channels as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy drive_consents_fence on drive_consents as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy drive_items_fence on drive_items as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy drive_sync_jobs_fence on drive_sync_jobs as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy evidence_fence on evidence as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy notification_preferences_fence on notification_preferences as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy notification_reads_fence on notification_reads as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy notification_rooms_fence on notification_rooms as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy notifications_fence on notifications as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND (user_id IS NULL OR user_id = (( SELECT horarium_user() AS horarium_user))))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND (user_id IS NULL OR user_id = (( SELECT horarium_user() AS horarium_user))));
create policy outbox_events_fence on outbox_events as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy outbox_retries_fence on outbox_retries as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy outside_runs_fence on outside_runs as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy project_tasks_fence on project_tasks as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy projects_fence on projects as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy scheduled_task_runs_fence on scheduled_task_runs as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy scheduled_task_states_fence on scheduled_task_states as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy scheduled_tasks_fence on scheduled_tasks as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy survey_answer_versions_fence on survey_answer_versions as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy survey_answers_fence on survey_answers as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy survey_locks_fence on survey_locks as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy survey_presence_fence on survey_presence as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy surveys_fence on surveys as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy tenant_drive_integrations_fence on tenant_drive_integrations as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy tenants_fence on tenants as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system));
create policy thread_messages_fence on thread_messages as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy threads_fence on threads as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)) AND user_id = (( SELECT horarium_user() AS horarium_user)));
create policy webhook_deliveries_fence on webhook_deliveries as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));
create policy webhook_endpoints_fence on webhook_endpoints as permissive for all to public
  using (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)))
  with check (( SELECT horarium_is_system() AS horarium_is_system) OR tenant_id = (( SELECT horarium_tenant() AS horarium_tenant)));

-- What the application role may do

grant usage on schema compliance to horarium_app;
grant usage on schema public to horarium_app;
grant delete, insert, select, update on agent_runs to horarium_app;
grant delete, insert, select, update on agent_sessions to horarium_app;
grant delete, insert, select, update on api_keys to horarium_app;
grant delete, insert, select, update on compliance.agent_authorities to horarium_app;
grant delete, insert, select, update on compliance.agent_certificates to horarium_app;
grant delete, insert, select, update on compliance.agent_last_seen to horarium_app;
grant delete, insert, select, update on compliance.agent_presence to horarium_app;
grant delete, insert, select, update on compliance.agents to horarium_app;
grant delete, insert, select, update on compliance.enrollment_tokens to horarium_app;
grant delete, insert, select, update on compliance.enrollment_uses to horarium_app;
grant delete, insert, select, update on compliance.evidence_classification_files to horarium_app;
grant delete, insert, select, update on compliance.evidence_classification_runs to horarium_app;
grant delete, insert, select, update on compliance.framework_controls to horarium_app;
grant delete, insert, select, update on compliance.framework_parse_jobs to horarium_app;
grant select on compliance.remote_agents to horarium_app;
grant delete, insert, select, update on drive_channels to horarium_app;
grant delete, insert, select, update on drive_consents to horarium_app;
grant delete, insert, select, update on drive_items to horarium_app;
grant delete, insert, select, update on drive_sync_jobs to horarium_app;
grant delete, insert, select, update on evidence to horarium_app;
grant delete, insert, select, update on instances to horarium_app;
grant delete, insert, select on notification_facts to horarium_app;
grant delete, insert, select, update on notification_preferences to horarium_app;
grant delete, insert, select, update on notification_reads to horarium_app;
grant delete, insert, select, update on notification_rooms to horarium_app;
grant delete, insert, select, update on notifications to horarium_app;
grant delete, insert, select, update on outbox_consumers to horarium_app;
grant delete, insert, select, update on outbox_events to horarium_app;
grant delete, insert, select, update on outbox_retries to horarium_app;
grant select, update on outbox_shift to horarium_app;
grant delete, insert, select, update on outside_runs to horarium_app;
grant delete, insert, select, update on project_tasks to horarium_app;
grant delete, insert, select, update on projects to horarium_app;
grant delete, insert, select, update on runtime_facts to horarium_app;
grant delete, insert, select, update on scheduled_task_runs to horarium_app;
grant delete, insert, select, update on scheduled_task_states to horarium_app;
grant delete, insert, select, update on scheduled_tasks to horarium_app;
grant delete, insert, select, update on survey_answer_versions to horarium_app;
grant delete, insert, select, update on survey_answers to horarium_app;
grant delete, insert, select, update on survey_locks to horarium_app;
grant delete, insert, select, update on survey_presence to horarium_app;
grant delete, insert, select, update on surveys to horarium_app;
grant delete, insert, select, update on tenant_drive_integrations to horarium_app;
grant select on tenant_google_drive_integrations to horarium_app;
grant insert, select, update on tenants to horarium_app;
grant delete, insert, select, update on thread_messages to horarium_app;
grant delete, insert, select, update on threads to horarium_app;
grant delete, insert, select, update on timetable_turns to horarium_app;
grant delete, insert, select, update on webhook_deliveries to horarium_app;
grant delete, insert, select, update on webhook_endpoints to horarium_app;
