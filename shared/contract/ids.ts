import * as z from 'zod/mini';

/** An id in an address or a body. What is longer is no id of ours. */
export const idText = z.string().check(z.minLength(1), z.maxLength(64));
export const byId = z.object({ id: idText });

/** The `nextCursor` of the page before. Absent for the first page. */
export const pageCursor = z.optional(z.string().check(z.maxLength(64)));

/** Names are shown on one line, so line breaks and direction marks are not allowed. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A name that a person types, on one line. `missing`, `tooLong`, `unprintable`: what is said of another one. */
export function lineOfText(maxLength: number, texts: { missing: string; tooLong: string; unprintable: string }) {
  return z.string(texts.missing).check(
    z.trim(),
    // A Mac writes й and ё as two characters each.
    z.normalize('NFC'),
    z.minLength(1, texts.missing),
    z.maxLength(maxLength, texts.tooLong),
    z.refine((text) => !UNPRINTABLE.test(text), texts.unprintable),
  );
}

export const SEARCH_MAX_LENGTH = 100;
/** Words to look for. Empty is the same as absent. */
export const searchText = z.optional(z.string().check(z.trim(), z.maxLength(SEARCH_MAX_LENGTH)));
