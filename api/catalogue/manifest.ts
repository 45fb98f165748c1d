import { z } from 'zod';
import { AGE_RANGES, BACKGROUND_TYPES, MODEL_CATEGORIES } from '#shared/contract/catalogue.ts';
import { POSITIONS } from '#shared/rules/suiting-backgrounds.ts';
import { describeIssue } from '#shared/validation-texts.ts';
import { findJsonLine, findSyntaxErrorLine } from './json-lines.ts';

/** Id of an entry, which is also the name of its files and a part of their URL. */
const id = z.string().regex(/^[a-z0-9]+([_-][a-z0-9]+)*$/, 'только строчные латинские буквы, цифры, - и _');
const text = z.string().trim().min(1, 'не должно быть пустым');
/** What an engine makes the picture from. Only `npm run catalogue` reads it. */
const prompt = text.max(2000).optional();

const manifest = z.strictObject({
  models: z
    .array(
      z.strictObject({
        id,
        name: text,
        ageRange: z.enum(AGE_RANGES),
        category: z.enum(MODEL_CATEGORIES),
        alt: text,
        prompt,
      }),
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
        prompt,
        suits: z
          .array(z.enum(POSITIONS))
          .min(1)
          .default([...POSITIONS]),
        floor: z.number().min(0.3).max(0.9).nullable().default(null),
      }),
    )
    .min(1),
});
export type Manifest = z.infer<typeof manifest>;

/** Where the pictures of a model are in the catalogue's folder, without their ending: `woman/w1`. */
export function locateModel({ category, id }: Pick<Manifest['models'][number], 'category' | 'id'>): string {
  return `${category === 'women' ? 'woman' : 'man'}/${id}`;
}

/** Where the pictures of a background are in the catalogue's folder, without their ending: `backgrounds/luxury`. */
export function locateBackground({ id }: { id: string }): string {
  return `backgrounds/${id}`;
}

export interface ManifestProblem {
  path: PropertyKey[];
  message: string;
}

/** The manifest or its folder has mistakes. The start stops and prints the message. */
export class CatalogueError extends Error {
  constructor(problems: string[]) {
    super(`Ошибка в каталоге:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'CatalogueError';
  }
}

/** Parses a manifest. Throws CatalogueError with the line of every mistake. */
export function parseManifest(file: string, content: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CatalogueError([`${file}, строка ${findSyntaxErrorLine(content, error)}: здесь нарушена запись JSON`]);
  }
  const parsed = manifest.safeParse(value, { error: describeIssue });
  if (!parsed.success) throw describeProblems(file, content, parsed.error.issues);
  const problems = findContradictions(parsed.data);
  if (problems.length > 0) throw describeProblems(file, content, problems);
  return parsed.data;
}

/** Combines the problems into one error with the line and entry of each. */
export function describeProblems(file: string, content: string, problems: ManifestProblem[]): CatalogueError {
  return new CatalogueError(
    problems.map(
      ({ path, message }) => `${file}, строка ${findJsonLine(content, path)}, ${path.join('.')}: ${message}`,
    ),
  );
}

/** Finds conflicts between entries, which a schema cannot see. */
function findContradictions({ models, backgrounds }: Manifest): ManifestProblem[] {
  const problems = [...findRepeatedIds('models', models), ...findRepeatedIds('backgrounds', backgrounds)];
  const kept = backgrounds.flatMap(({ type }, index) => (type === 'keep_original' ? [index] : []));
  if (kept.length !== 1) {
    problems.push({
      path: ['backgrounds', ...kept.slice(1, 2)],
      message: `нужен ровно один фон типа keep_original, сейчас их ${kept.length}`,
    });
  }
  for (const index of kept) {
    if (!backgrounds[index]?.isPremium) continue;
    problems.push({
      path: ['backgrounds', index, 'isPremium'],
      message: 'сохранение своего фона бесплатно для всех: здесь нужно false',
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
    return [{ path: [list, index, 'id'], message: `id «${entry.id}» занят записью выше` }];
  });
}
