import { Prisma } from '#prisma/generated/client.ts';
import { WHITE_SPACE } from '#shared/rules/outside-text.ts';

/**
 * A regular expression of PostgreSQL for a text in upper or lower case. With the locale C, as on the embedded database,
 * `ilike` knows only Latin letters.
 */
export function toAnyCase(text: string): string {
  const classOf = (letter: string) => {
    const cases = new Set([letter, letter.toLowerCase(), letter.toUpperCase()]);
    const own = [...cases].filter((one) => [...one].length === 1).map((one) => one.replace(/[\\\]^-]/, '\\$&'));
    return `[${own.join('')}]`;
  };
  return [...text].map(classOf).join('');
}

/** Each costs a look at every row. A result's whole name has fewer. */
const WORDS_MAX = 8;

/**
 * The words of a search, each of which has to be found: the first eight. Commas and other marks between words do not
 * count.
 */
export function splitSearch(search: string | undefined): string[] {
  const words = (search ?? '')
    .normalize('NFC')
    .replaceAll(/[,;«»"]/g, ' ')
    .split(WHITE_SPACE);
  return words.filter((word) => word !== '').slice(0, WORDS_MAX);
}

/** A condition: each word stands somewhere in the texts, in upper or lower case. True without words. */
export function matchWords(texts: readonly string[], words: readonly string[]): Prisma.Sql {
  const text = Prisma.raw(`concat_ws(chr(31), ${texts.join(', ')})`);
  return words.length === 0
    ? Prisma.sql`true`
    : Prisma.join(
        words.map((word) => Prisma.sql`${text} ~ ${toAnyCase(word)}`),
        ' and ',
      );
}
