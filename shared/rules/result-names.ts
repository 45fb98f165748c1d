import { articleKey, nameWithoutAdditions } from './articles.ts';
import { nameStem } from './download-names.ts';
import type { GenerationKind } from './generation-lifecycle.ts';
import { FILE_ENDING } from './outside-text.ts';
import { RESULT_WORDS, type ResultKind, TOOLS } from './tools.ts';

/** Limit for the first part of a name, in code points, so that the rest fits into a file name. */
const STEM_MAX_LENGTH = 60;
const STEM_WHEN_EMPTY = 'Фото';
export const TITLE_MAX_LENGTH = 120;

/** What a result is called after. */
export interface NamedResult {
  /** The name that its owner has given it. Null for the usual one. */
  title: string | null;
  /** The article of its product. Null without one. */
  article: string | null;
  /** The name of the photo that it was made from, as `namePhotoStem` gives it. */
  photoName: string;
  kind: GenerationKind;
  made: ResultKind;
  /** Counted from 1 for each article (or photo's name) and kind of result. */
  number: number;
  /** Index among the results of its generation, from 0. */
  position: number;
}

type GenerationName = Pick<NamedResult, 'article' | 'photoName' | 'made' | 'number'>;

/** The part of a photo's name by which its results are called: without extension and copy marks, at most 60 long. */
export function namePhotoStem(photoName: string): string {
  return [...nameWithoutAdditions(photoName)].slice(0, STEM_MAX_LENGTH).join('').trim() || STEM_WHEN_EMPTY;
}

/** The text under which results of one name are counted together. */
export function numberingKey({ article, photoName }: Pick<NamedResult, 'article' | 'photoName'>): string {
  return articleKey(article ?? photoName);
}

/** What people read: «ART-123, Видео 2», «ART-123, Фотосессия 1, кадр 3», or the name that the owner has given. */
export function nameResult(result: NamedResult): string {
  if (result.title !== null) return result.title;
  const frame = isOneOfSeveral(result) ? `, кадр ${result.position + 1}` : '';
  return `${nameGeneration(result)}${frame}`;
}

/** What people read over all results of a generation: «ART-123, Фотосессия 1». */
export function nameGeneration({ article, photoName, made, number }: GenerationName): string {
  return `${article ?? photoName}, ${RESULT_WORDS[made].titlePart} ${number}`;
}

/** The name of a file without its extension: `ART-123_Видео_2`, `ART-123_Фотосессия_1-3`, or what the owner's name gives. */
export function nameResultStem(result: NamedResult): string {
  if (result.title !== null) return nameStem(result.title.replace(FILE_ENDING, ''));
  const frame = isOneOfSeveral(result) ? `-${result.position + 1}` : '';
  return `${nameGenerationStem(result)}${frame}`;
}

/** The name of an archive with all results of a generation, without its extension: `ART-123_Фотосессия_1`. */
export function nameGenerationStem({ article, photoName, made, number }: GenerationName): string {
  const tool = RESULT_WORDS[made].titlePart.replaceAll(' ', '-');
  return nameStem(`${(article ?? photoName).trim()}_${tool}_${number}`);
}

function isOneOfSeveral({ kind }: Pick<NamedResult, 'kind'>): boolean {
  return TOOLS[kind].outputs.count > 1;
}

/** What a template of names may contain. */
export const NAME_PLACEHOLDERS = ['{артикул}', '{инструмент}', '{№}', '{кадр}'] as const;

/**
 * The name that a template gives a result, at most 120 long: «{артикул} {инструмент} {№}» becomes «ART-123 Видео 2».
 * Empty when nothing is left.
 */
export function fillNameTemplate(template: string, result: NamedResult): string {
  const values: Record<(typeof NAME_PLACEHOLDERS)[number], string> = {
    '{артикул}': result.article ?? result.photoName,
    '{инструмент}': RESULT_WORDS[result.made].titlePart,
    '{№}': String(result.number),
    '{кадр}': isOneOfSeveral(result) ? String(result.position + 1) : '',
  };
  const filled = template.replace(/\{(?:артикул|инструмент|№|кадр)\}/g, (name) => values[name as keyof typeof values]);
  return [...filled.trim()].slice(0, TITLE_MAX_LENGTH).join('').trim();
}
