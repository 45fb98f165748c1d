// `npm run docs:rooms`: writes the import rule of `room-rules.ts` into CONTRIBUTING.md, between its two markers.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GROUPS, ROOMS, type Room } from './room-rules.ts';

const BEGIN = '<!-- rooms: written by `npm run docs:rooms` -->';
const END = '<!-- end of rooms -->';
const DOCUMENT = path.resolve(import.meta.dirname, '../CONTRIBUTING.md');

/** The document with the tables of the current rules. Throws when the markers are missing. */
export function writeRoomTables(document: string): string {
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`The document needs the lines «${BEGIN}» and «${END}».`);
  return `${before}${BEGIN}\n\n${renderRooms()}\n\n${END}${after}`;
}

function renderRooms(): string {
  return [
    renderTable(
      ['room', 'what is in it', 'may import'],
      ROOMS.map((room) => [code(room.paths), room.holds, describeAllowed(room)]),
    ),
    GROUPS.map(({ name, holds, paths }) => `- *${name}*: ${holds}: ${code(paths)}`).join('\n'),
    ...ROOMS.flatMap(({ paths, floors }) =>
      floors
        ? [
            `The folders of ${code(paths)}, the lowest first. Each may import itself and the folders above it in this table:`,
            renderTable(
              ['folder', 'what is in it'],
              floors.map(({ folder, holds }) => [code([folder]), holds]),
            ),
          ]
        : [],
    ),
  ].join('\n\n');
}

function describeAllowed({ may, packages, isTypesOnly, onlyShares }: Room): string {
  const allowed = may.map((one) => (typeof one === 'string' ? code([one]) : `*${one.name}*`));
  if (packages) allowed.push(packages.length > 0 ? `of packages only ${packages.join(', ')}` : 'no package');
  const text = allowed.join(', ') || 'nothing';
  if (isTypesOnly) return `${text}; types only`;
  if (onlyShares) return `${text}; its own folders never each other`;
  return text;
}

function renderTable(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function code(paths: string[]): string {
  return paths.map((one) => `\`${one}\``).join(', ');
}

if (process.argv[1] === import.meta.filename) writeFileSync(DOCUMENT, writeRoomTables(readFileSync(DOCUMENT, 'utf8')));
