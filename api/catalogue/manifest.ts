import { z } from 'zod';
import { AGE_RANGES, BACKGROUND_TYPES, MODEL_CATEGORIES } from '#shared/contract/catalogue.ts';
import { findJsonLine } from './json-lines.ts';

/** Also the name of the entry's files, and a part of their address. */
const id = z.string().regex(/^[a-z0-9]+([_-][a-z0-9]+)*$/, 'small Latin letters, digits, - and _ only');
const text = z.string().trim().min(1, 'must not be empty');

const manifest = z.strictObject({
  models: z
    .array(
      z.strictObject({ id, name: text, ageRange: z.enum(AGE_RANGES), category: z.enum(MODEL_CATEGORIES), alt: text }),
    )
    .min(1),
  backgrounds: z
    .array(
      z.strictObject({
        id,
        name: text,
        type: z.enum(BACKGROUND_TYPES),
        isPremium: z.boolean(),
        description: text,
        alt: text,
      }),
    )
    .min(1),
});
export type Manifest = z.infer<typeof manifest>;

/** What is wrong, and where in the manifest. */
export interface ManifestProblem {
  path: PropertyKey[];
  message: string;
}

/** The manifest or its folder is wrong; the start stops and prints the message. */
export class CatalogueError extends Error {
  constructor(problems: string[]) {
    super(`Catalogue:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'CatalogueError';
  }
}

/** Reads the text of a manifest. Throws CatalogueError with the line of every mistake. */
export function parseManifest(file: string, content: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new CatalogueError([`${file}: ${error instanceof Error ? error.message : error}`]);
  }
  const parsed = manifest.safeParse(value);
  if (!parsed.success) throw describeProblems(file, content, parsed.error.issues);
  const problems = findContradictions(parsed.data);
  if (problems.length > 0) throw describeProblems(file, content, problems);
  return parsed.data;
}

/** The problems as one error, each with its line and entry. */
export function describeProblems(file: string, content: string, problems: ManifestProblem[]): CatalogueError {
  return new CatalogueError(
    problems.map(({ path, message }) => `${file}, line ${findJsonLine(content, path)}, ${path.join('.')}: ${message}`),
  );
}

/** What a schema cannot see: entries that get in each other's way. */
function findContradictions({ models, backgrounds }: Manifest): ManifestProblem[] {
  const problems = [...findRepeatedIds('models', models), ...findRepeatedIds('backgrounds', backgrounds)];
  const kept = backgrounds.flatMap(({ type }, index) => (type === 'keep_original' ? [index] : []));
  if (kept.length !== 1) {
    problems.push({
      path: ['backgrounds', ...kept.slice(1, 2)],
      message: `exactly one background of the type keep_original is needed, there are ${kept.length}`,
    });
  }
  for (const index of kept) {
    if (!backgrounds[index]?.isPremium) continue;
    problems.push({
      path: ['backgrounds', index, 'isPremium'],
      message: 'keeping the own background is free for everybody',
    });
  }
  return problems;
}

function findRepeatedIds(list: string, entries: { id: string }[]): ManifestProblem[] {
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    if (!seen.has(entry.id)) {
      seen.add(entry.id);
      return [];
    }
    return [{ path: [list, index, 'id'], message: `the id «${entry.id}» is taken by an entry above` }];
  });
}
