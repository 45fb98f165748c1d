import * as z from 'zod/mini';

/** An id in an address or a body. What is longer is no id of ours. */
export const idText = z.string().check(z.minLength(1), z.maxLength(64));
export const byId = z.object({ id: idText });

/** The `nextCursor` of the page before. Absent for the first page. */
export const pageCursor = z.optional(z.string().check(z.maxLength(64)));
