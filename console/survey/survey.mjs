// The page on which people fill a survey together: who is here, who is at which field, what is saved. It holds no rule: it
// asks the server, and shows what it says. Its contract is docs/surveys.md.
import { fieldControl } from './control.mjs';

const surveyId = decodeURIComponent(location.pathname.split('/').at(-1));
const at = (id) => document.getElementById(id);
const TOKEN = 'horarium.token';
const RENEWED_EVERY_MS = 10_000;
const LOOKED_AGAIN_EVERY_MS = 30_000;
const DRAFT_EVERY_MS = 250;

/** One for each tab, kept over reconnections and reloads: the lock that it holds goes on being its own. */
const session = sessionStorage.getItem('horarium.session') ?? crypto.randomUUID();
sessionStorage.setItem('horarium.session', session);

let socket;
let rev = 0;
let me = '';
let status = 'open';
/** By the key of the field. */
const fields = new Map();
const people = new Map();

// -- signing in -------------------------------------------------------------------------------------

/** A link may carry the token behind `#token=`: that part never leaves the browser, and is taken out of sight at once. */
function tokenOfLink() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return null;
  history.replaceState(null, '', location.pathname);
  sessionStorage.setItem(TOKEN, token);
  return token;
}

function askForToken(why = '') {
  at('survey').hidden = true;
  at('sign-in').hidden = false;
  at('sign-in-error').textContent = why;
  say('');
  at('token').focus();
}

at('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, at('token').value.trim());
  at('token').value = '';
  at('sign-in').hidden = true;
  void open();
});

async function open() {
  const token = tokenOfLink() ?? sessionStorage.getItem(TOKEN);
  if (token === null) return askForToken();
  say('Opening …');
  const answer = await load(token).catch(() => undefined);
  if (answer === undefined) return say('The server cannot be reached. Load the page again in a moment.');
  if (answer.status === 401) {
    sessionStorage.removeItem(TOKEN);
    return askForToken('This token is not valid, or has expired.');
  }
  const body = await answer.json();
  if (!answer.ok) return askForToken(body.detail ?? 'This survey cannot be opened.');
  show(body);
  connect();
}

function load(token) {
  return fetch(`/api/1.0/surveys/${encodeURIComponent(surveyId)}`, { headers: { Authorization: `Bearer ${token}` } });
}

// -- the form -----------------------------------------------------------------------------------------

function show(survey) {
  document.title = `${survey.title} · Horarium`;
  at('title').textContent = survey.title;
  at('description').textContent = survey.description ?? '';
  at('description').hidden = survey.description === null;
  const form = at('survey');
  const kept = new Set(survey.fields.map(({ key }) => key));
  for (const [key, field] of fields) if (!kept.has(key)) fields.delete(key) && field.control.element.remove();
  for (const description of survey.fields) {
    const before = fields.get(description.key);
    const same = before !== undefined && JSON.stringify(before.description) === JSON.stringify(description);
    const field = same ? before : newField(description);
    if (before !== undefined && !same) {
      before.control.element.remove();
      Object.assign(field, { version: before.version, value: before.value, lock: before.lock });
    }
    fields.set(description.key, field);
    form.append(field.control.element);
    draw(field);
  }
  status = survey.status;
  form.hidden = false;
}

function newField(description) {
  const field = {
    description,
    version: 0,
    value: null,
    lock: undefined,
    fence: undefined,
    dirty: false,
    saving: undefined,
  };
  field.control = fieldControl(description, {
    begin: () => void begin(field),
    change: () => changed(field),
    end: () => void end(field),
  });
  return field;
}

function draw(field) {
  const { lock, control } = field;
  const held = lock !== undefined && lock.until > Date.now();
  const mine = held && lock.session === session && lock.user === me;
  const words = !held ? '' : mine ? 'You are editing this.' : `${lock.user} is editing this.`;
  const connected = socket?.connected === true;
  control.draw({
    lock: held ? (mine ? 'mine' : 'other') : 'none',
    words: status === 'closed' ? 'This survey is closed.' : words,
    readOnly: !connected || status === 'closed' || (held && !mine),
  });
  if (!field.dirty) control.setValue(field.value);
}

const drawAll = () => fields.forEach(draw);

// -- the line -----------------------------------------------------------------------------------------

function connect() {
  socket?.disconnect();
  // The newest token, at each attempt.
  const auth = (give) => give({ token: sessionStorage.getItem(TOKEN), session });
  socket = globalThis.io('/socket/fill-survey', { auth, transports: ['websocket'], reconnectionDelayMax: 30_000 });
  socket.on('connect', () => void join(0));
  socket.on('disconnect', (reason) => {
    say('Not connected. What you type now is not saved …');
    drawAll();
    if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 1_000);
  });
  socket.on('connect_error', (error) => {
    if (error.data?.code !== 'unauthorized') return;
    socket.disconnect();
    sessionStorage.removeItem(TOKEN);
    askForToken('Your token has expired. Nothing that was saved is lost.');
  });
  socket.on('server:restart', () => say('The server restarts; the page comes back by itself.'));
  socket.on('auth:expiring', () => announce('Your token expires in a minute.'));
  socket.on('updated', (news) => ours(news) && updated(news));
  socket.on('lock', (news) => ours(news) && locked(news));
  socket.on('unlock', (news) => ours(news) && unlocked(news));
  socket.on('draft', (news) => ours(news) && draft(news));
  socket.on('presence', (news) => ours(news) && presence(news));
  socket.on('changed', (news) => ours(news) && void reload());
  socket.on('removed', (news) => ours(news) && removed(news));
}

const ours = ({ survey_id: id }) => id === surveyId;
const ask = (event, payload) =>
  socket
    .timeout(10_000)
    .emitWithAck(event, { survey_id: surveyId, ...payload })
    .catch(() => ({ ok: false, error: { code: 'lost' } }));

/** Everything that changed since, and who is here: after every break, and now and then. */
async function join(since) {
  const answer = await ask('join', { since });
  if (!answer.ok) {
    if (answer.error.code === 'not_found') askForToken('This survey is not there for you any more.');
    return;
  }
  me = answer.present.find((one) => one.session === session)?.user ?? me;
  for (const news of answer.answers) updated({ ...news, user: news.updated_by }, true);
  rev = Math.max(rev, answer.rev);
  status = answer.status;
  for (const field of fields.values()) field.lock = undefined;
  for (const lock of answer.locks) locked(lock);
  people.clear();
  for (const one of answer.present) people.set(`${one.user} ${one.session}`, one);
  drawPeople();
  drawAll();
  say(status === 'closed' ? 'This survey is closed.' : 'Connected. Answers are saved when you leave a field.');
  for (const field of fields.values()) if (field.dirty && !field.saving) void save(field);
}

async function reload() {
  const answer = await load(sessionStorage.getItem(TOKEN)).catch(() => undefined);
  if (answer?.ok) show(await answer.json());
  await join(rev);
}

function updated({ field_key: key, value, version, user, rev: newest }, known = false) {
  // A gap: something was missed on the way.
  if (!known && newest > rev + 1) setTimeout(() => void join(rev), 300);
  else if (!known) rev = Math.max(rev, newest);
  const field = fields.get(key);
  if (field === undefined || version <= field.version) return;
  Object.assign(field, { value, version });
  if (!known && user !== me) announce(`${user} answered ${field.description.label}`);
  draw(field);
}

function locked({ field_key: key, user, session: of, expires_at: expires }) {
  const field = fields.get(key);
  if (field === undefined) return;
  // By this page's own clock, since the two need not agree; a lock that nobody renews ends here by itself.
  const until = Date.now() + Math.max(Date.parse(expires) - Date.now(), 0) + 1_000;
  field.lock = { user, session: of, until };
  setTimeout(() => draw(field), until - Date.now() + 50);
  draw(field);
}

function unlocked({ field_key: key, reason }) {
  const field = fields.get(key);
  if (field === undefined) return;
  if (field.lock?.session === session && reason === 'forced') lose(field, 'Your turn at this field was ended.');
  field.lock = undefined;
  draw(field);
}

/** Only of the one who holds the lock: what is late is of somebody who was there before. */
function draft({ field_key: key, user, session: of, draft: value }) {
  const field = fields.get(key);
  if (field?.lock?.user === user && field.lock.session === of && of !== session) field.control.setValue(value);
}

function presence({ type, user, session: of, field_key: key }) {
  if (type === 'leave') people.delete(`${user} ${of}`);
  else people.set(`${user} ${of}`, { user, session: of, field_key: key });
  drawPeople();
}

function removed({ users }) {
  if (users !== null && !users.includes(me)) return;
  socket.disconnect();
  fields.forEach((field) => field.control.element.remove());
  fields.clear();
  askForToken('This survey is not there for you any more.');
}

// -- editing ------------------------------------------------------------------------------------------

async function begin(field) {
  if (field.fence !== undefined || socket?.connected !== true || status === 'closed') return;
  const answer = await ask('editing', { field_key: field.description.key });
  if (answer.ok) {
    field.fence = answer.fence;
    locked({ field_key: field.description.key, user: me, session, expires_at: answer.expires_at });
    clearInterval(field.renewal);
    field.renewal = setInterval(() => void renew(field), RENEWED_EVERY_MS);
    // Left already, while the answer was on its way.
    if (!field.control.element.contains(document.activeElement)) void end(field);
  } else if (answer.error.code === 'locked') {
    const { holder, expires_at: expires } = answer.error;
    locked({ field_key: field.description.key, ...holder, expires_at: expires });
    field.control.setError(`${holder.user} is editing this.`);
  }
}

async function renew(field) {
  const answer = await ask('editing', { field_key: field.description.key });
  if (answer.ok) field.fence = answer.fence;
  else if (answer.error.code === 'locked') lose(field, 'Somebody else is at this field now.');
}

function changed(field) {
  field.dirty = true;
  field.control.setError('');
  if (field.drafting !== undefined || field.fence === undefined) return;
  field.drafting = setTimeout(() => {
    field.drafting = undefined;
    if (field.fence === undefined || !socket.connected) return;
    const value = field.control.value();
    socket.volatile.emit('edit', {
      survey_id: surveyId,
      field_key: field.description.key,
      fence: field.fence,
      draft: value,
    });
  }, DRAFT_EVERY_MS);
}

async function end(field) {
  if (field.dirty) await save(field);
  const { fence } = field;
  if (fence === undefined || field.control.element.contains(document.activeElement)) return;
  forget(field);
  await ask('endedit', { field_key: field.description.key, fence });
}

/** Once for each change: the same operation again, after a break, is the same write. */
async function save(field) {
  if (field.saving !== undefined) return field.saving;
  field.saving = write(field).finally(() => (field.saving = undefined));
  return field.saving;
}

async function write(field) {
  const value = field.control.value();
  if (value instanceof Error) return field.control.setError(value.message);
  if (JSON.stringify(value) === JSON.stringify(field.value)) return void (field.dirty = false);
  if (field.fence === undefined) await begin(field);
  const { fence } = field;
  if (fence === undefined) return;
  const body = { field_key: field.description.key, fence, base_version: field.version, value };
  const operation = JSON.stringify([body.field_key, body.base_version, value]);
  if (field.operation?.text !== operation) field.operation = { text: operation, id: crypto.randomUUID() };
  const answer = await ask('update', { ...body, op_id: field.operation.id });
  if (answer.ok) {
    const unchanged = JSON.stringify(field.control.value()) === JSON.stringify(value);
    field.dirty = !unchanged;
    updated({ field_key: body.field_key, value, version: answer.version, user: me, rev: answer.rev });
    field.control.setError('');
    field.control.setSaved();
  } else if (answer.error.code === 'conflict') {
    const { current } = answer.error;
    Object.assign(field, { version: current?.version ?? 0, value: current?.value ?? null });
    field.control.setError(
      `${current?.updated_by ?? 'Somebody'} changed this in the meantime: leave the field again to save yours.`,
    );
  } else if (answer.error.code === 'lock_lost') {
    lose(field, 'Your turn at this field was over: what you typed is not saved.');
  } else if (answer.error.code !== 'lost') {
    field.control.setError(answer.error.message);
  }
}

function forget(field) {
  clearInterval(field.renewal);
  clearTimeout(field.drafting);
  Object.assign(field, { fence: undefined, drafting: undefined });
}

function lose(field, why) {
  forget(field);
  field.control.setError(why);
}

// -- words --------------------------------------------------------------------------------------------

function say(text) {
  at('connection').textContent = text;
}

function announce(text) {
  at('news').textContent = text;
}

function drawPeople() {
  const items = [...people.values()].map(({ user, session: of, field_key: key }) => {
    const item = document.createElement('li');
    const where = fields.get(key)?.description.label;
    item.textContent = `${user}${of === session ? ' (you)' : ''}${where === undefined ? '' : `: ${where}`}`;
    return item;
  });
  at('present').replaceChildren(...items);
  at('people').hidden = items.length === 0;
}

// Broadcasts are hints: whatever was lost on the way is found here.
setInterval(() => socket?.connected === true && void join(rev), LOOKED_AGAIN_EVERY_MS);
addEventListener('pagehide', () => socket?.disconnect());
void open();
