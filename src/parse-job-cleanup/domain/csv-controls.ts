// Domain. Controls out of a table (CSV, RFC 4180): one line each, columns by the names in the first line.
import { control, type ControlText } from './control';
import { UnreadableDocumentError } from './errors';

/** The names that people give their columns. */
const COLUMNS = {
  controlId: ['control_id', 'control id', 'id', 'control', 'identifier', 'requirement id'],
  title: ['title', 'name', 'control name', 'control title'],
  family: ['family', 'control family', 'domain', 'group'],
  statement: ['statement', 'text', 'description', 'requirement', 'control text'],
};

export function csvControls(text: string): ControlText[] {
  const [header, ...lines] = csvRows(text.replace(/^\uFEFF/, ''));
  const names = (header ?? []).map((name) => name.trim().toLowerCase());
  const at = (known: readonly string[]): number => names.findIndex((name) => known.includes(name));
  const [id, title, family, statement] = [COLUMNS.controlId, COLUMNS.title, COLUMNS.family, COLUMNS.statement].map(at);
  if (id === undefined || id < 0) {
    throw new UnreadableDocumentError('The first line names no column `control_id`: which of them is it?');
  }
  const found = lines
    .filter((cells) => cells.some((cell) => cell.trim() !== ''))
    .map((cells, index) => {
      const cell = (column: number | undefined): string => (column === undefined ? '' : (cells[column] ?? ''));
      const controlId = cell(id).trim();
      if (controlId === '') throw new UnreadableDocumentError(`Line ${index + 2} has no control_id.`);
      return control({ controlId, title: cell(title), family: cell(family) || null, statement: cell(statement) });
    });
  if (found.length === 0) throw new UnreadableDocumentError('The table has no lines but the first.');
  return found;
}

/** Separated by commas, semicolons or tabs, whichever the first line has most of. */
function csvRows(text: string): string[][] {
  const first = text.slice(0, text.search(/\r?\n|$/));
  const counts = [',', ';', '\t'].map((separator) => [separator, first.split(separator).length] as const);
  const separator = counts.reduce((most, one) => (one[1] > most[1] ? one : most))[0];
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === separator) {
      row.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[at + 1] === '\n') at++;
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else cell += character;
  }
  if (quoted) throw new UnreadableDocumentError('A quotation mark is opened and never closed.');
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}
