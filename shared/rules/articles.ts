import { FILE_ENDING, NAME_ADDITION } from './outside-text.ts';

/** Limits for what a person types, in UTF-16 units. */
export const ARTICLE_MAX_LENGTH = 60;
export const PRODUCT_NAME_MAX_LENGTH = 120;

/** What cameras, messengers and systems call their pictures, alone or before a number. */
const GENERIC_NAME =
  /^(_?(img|dsc|dscf|dscn|pxl|mvi|mov|vid|dji|whatsapp|screenshot|image|photo|фото|снимок)([-_. ]|\d|$)|_mg_|gopr\d|gx\d{6}|sam_\d{4}|cimg\d|p\d{7}$)/i;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** «20261128», «2026-11-28_12-30», «12.30.05» and the like. */
const DATE_OR_TIME =
  /^((19|20)\d\d[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])([-_.]?([01]\d|2[0-3])[-_.]?[0-5]\d([-_.]?[0-5]\d)?)?|([01]\d|2[0-3])[-_.][0-5]\d([-_.][0-5]\d)?)$/;
const ARTICLE = /^(?=.{0,39}\d)[\p{L}\d._/-]{3,40}$/u;
/** «(2)», «копия», «copy» at the end of a name: what a system adds to a copy. */
const COPY_MARK = /[ _-]{0,3}(\(\d{1,3}\)|(копия|copy)( \d{1,3})?)$/i;
/** «_1», «-2» at the end of a name: one photo of several. */
const PHOTO_NUMBER = /(_\d{1,2}|-\d)$/;

/** What tells products of an account apart: articles that differ in case alone are the same. */
export function articleKey(article: string): string {
  return article.normalize('NFC').trim().toLowerCase();
}

/**
 * The article that the name of a photo's file suggests, otherwise the one that the name of its folder does. Null when
 * neither looks like an article: it has a digit and 3 to 40 letters, digits, `-`, `_`, `.`, `/`, and is no name that a
 * camera or a messenger gives. «ART-123.jpg» and «ART-123_1.jpg» suggest the same.
 */
export function guessArticle(fileName: string, folder: string | null = null): string | null {
  return guessFrom(nameWithoutAdditions(fileName)) ?? (folder === null ? null : guessFrom(folder));
}

/** A photo's name without its extension and without what a downloaded result of ours has added to it. */
export function nameWithoutAdditions(fileName: string): string {
  return fileName.normalize('NFC').replace(FILE_ENDING, '').replace(NAME_ADDITION, '').trim();
}

function guessFrom(text: string): string | null {
  const name = withoutCopyMarks(text.normalize('NFC').trim());
  if (!isArticle(name)) return null;
  const first = name.replace(PHOTO_NUMBER, '');
  return isArticle(first) ? first : name;
}

function withoutCopyMarks(name: string): string {
  const rest = name.replace(COPY_MARK, '').trim();
  return rest === name || rest === '' ? name : withoutCopyMarks(rest);
}

function isArticle(name: string): boolean {
  return ARTICLE.test(name) && !GENERIC_NAME.test(name) && !UUID.test(name) && !DATE_OR_TIME.test(name);
}
