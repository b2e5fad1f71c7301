// Domain. Controls out of an OSCAL catalogue in JSON (NIST, version 1.x): groups within groups, controls within controls.
import { control, type ControlText } from './control';
import { UnreadableDocumentError } from './errors';

type Json = Record<string, unknown>;

const DEEPEST = 20;

export function oscalControls(text: string): ControlText[] {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UnreadableDocumentError(`The document is no JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  const { catalog } = object(document);
  if (typeof catalog !== 'object' || catalog === null) {
    throw new UnreadableDocumentError('The document has no `catalog`: an OSCAL catalogue in JSON is expected.');
  }
  const found: ControlText[] = [];
  collect(object(catalog), null, 0, found);
  if (found.length === 0) throw new UnreadableDocumentError('The catalogue has no controls.');
  return found;
}

function collect(parent: Json, family: string | null, depth: number, found: ControlText[]): void {
  if (depth > DEEPEST) throw new UnreadableDocumentError(`The catalogue is nested more than ${DEEPEST} levels deep.`);
  for (const group of objects(parent.groups)) collect(group, textOf(group.id) || textOf(group.title), depth + 1, found);
  for (const one of objects(parent.controls)) {
    const controlId = textOf(one.id);
    if (controlId === '') throw new UnreadableDocumentError(`Control number ${found.length + 1} has no id.`);
    const statement = objects(one.parts)
      .filter(({ name }) => name === 'statement')
      .map((part) => prose(part, 0))
      .join('\n');
    found.push(control({ controlId, family, title: textOf(one.title), statement }));
    // Enhancements are controls of their own.
    collect({ controls: one.controls }, family, depth + 1, found);
  }
}

function prose(part: Json, depth: number): string {
  if (depth > DEEPEST) return '';
  return [textOf(part.prose), ...objects(part.parts).map((inner) => prose(inner, depth + 1))]
    .filter((text) => text !== '')
    .join('\n');
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
