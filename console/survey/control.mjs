// One field of the form, by its type: how it is shown, and what is read from it.

/** `on`: begin (focus), change (typing), end (left). */
export function fieldControl(field, on) {
  const id = `field-${field.key}`;
  const element = make('div', { className: 'field' });
  element.dataset.key = field.key;
  const label = make('label', { textContent: field.required ? `${field.label} *` : field.label, htmlFor: id });
  const help = make('p', { className: 'help', id: `${id}-help`, textContent: field.help ?? '' });
  const state = make('p', { className: 'state', id: `${id}-state` });
  const error = make('p', { className: 'error', id: `${id}-error`, role: 'alert' });
  const inputs = inputsOf(field, id);
  for (const input of inputs) {
    input.setAttribute('aria-describedby', [field.help === null ? '' : help.id, state.id, error.id].join(' ').trim());
    input.addEventListener('focus', on.begin);
    input.addEventListener('input', on.change);
    if (input.tagName === 'SELECT') input.addEventListener('change', on.change);
  }
  element.addEventListener('focusout', ({ relatedTarget }) => element.contains(relatedTarget) || on.end());
  const box = inputs.length > 1 ? make('div', { className: 'file' }) : undefined;
  box?.append(...inputs);
  element.append(label, ...(field.help === null ? [] : [help]), box ?? inputs[0], state, error);
  return {
    element,
    value: () => valueOf(field, inputs),
    setValue: (value) => setValue(field, inputs, value),
    setError: (text) => {
      error.textContent = text;
      for (const input of inputs) input.setAttribute('aria-invalid', String(text !== ''));
    },
    setSaved: () => (element.dataset.saved = String(Number(element.dataset.saved ?? 0) + 1)),
    draw: ({ lock, words, readOnly }) => {
      element.dataset.lock = lock;
      if (state.textContent !== words) state.textContent = words;
      for (const input of inputs) {
        // A field that is read only can still be reached and read; a list cannot be, other than by being disabled.
        if (input.tagName === 'SELECT') input.disabled = readOnly;
        else input.readOnly = readOnly;
      }
    },
  };
}

function inputsOf(field, id) {
  if (field.type === 'choice') {
    const select = make('select', { id });
    select.append(make('option', { value: '', textContent: '–' }));
    for (const option of field.options) select.append(make('option', { value: option, textContent: option }));
    return [select];
  }
  if (field.type === 'text') return [make('textarea', { id, rows: 2, maxLength: field.max_length })];
  if (field.type === 'file') {
    const name = make('input', { id, type: 'text', maxLength: 255, placeholder: 'Name' });
    const fileId = make('input', { id: `${id}-id`, type: 'text', maxLength: 255, placeholder: 'File id' });
    fileId.setAttribute('aria-label', `${field.label}: file id`);
    return [name, fileId];
  }
  if (field.type === 'date') return [make('input', { id, type: 'date' })];
  return [make('input', { id, type: 'text', inputMode: 'decimal' })];
}

/** An Error where what was typed is no answer at all; whether it is a good one the server says. */
function valueOf(field, [input, second]) {
  const text = input.value;
  if (field.type === 'file') {
    if (text === '' && second.value === '') return null;
    if (text === '' || second.value === '') return new Error('A file has a name and an id.');
    return { file_id: second.value, name: text };
  }
  if (text === '') return null;
  if (field.type !== 'number') return text;
  const number = Number(text.trim().replace(',', '.'));
  return Number.isFinite(number) && text.trim() !== '' ? number : new Error('This is not a number.');
}

function setValue(field, [input, second], value) {
  const text = value === null ? '' : field.type === 'file' ? value.name : String(value);
  if (input.value !== text) input.value = text;
  if (second !== undefined) second.value = value?.file_id ?? '';
}

function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}
