import type { AppContext } from '#api/services/app-context.ts';
import { isAccountId } from '#api/services/ground/cursors.ts';
import { ADMIN_PAGE_SIZE } from '#shared/contract/administration.ts';

/** No account has this id or a larger one. */
const ID_END = 2 ** 31 - 1;
/** Accounts that are looked through before the index is used. */
const NEWEST = 2_000;
const FOUND_MAX = ADMIN_PAGE_SIZE + 1;
/** Letters of a group in the index (`name_grams` in the migrations). */
const GRAM = 3;

/**
 * The newest accounts whose e-mail or name contains the text, in any case, or whose id it is: one more than a page of
 * them. `before`: only accounts with smaller ids. What many have is found among the newest accounts, and only what few
 * have is looked up in the index, which would first collect all of them.
 */
export async function findAccounts(
  { db }: Pick<AppContext, 'db'>,
  search: string,
  before: number = ID_END,
): Promise<number[]> {
  const needle = await foldCase(db, search);
  // % and _ are ordinary characters.
  const pattern = `%${needle.replace(/[\\%_]/g, '\\$&')}%`;
  const ownId = /^\d{1,10}$/.test(search) && isAccountId(Number(search)) ? Number(search) : null;
  const newest = await db.$queryRaw<{ id: number }[]>`
    select account_id as id
    from (select * from account_names where account_id < ${before} order by account_id desc limit ${NEWEST}) as newest
    where words like ${pattern} or account_id = ${ownId}
    order by account_id desc limit ${FOUND_MAX}`;
  const found =
    newest.length === FOUND_MAX
      ? newest
      : await db.$queryRaw<{ id: number }[]>`
          select account_id as id from account_names
          where (name_grams(words) @@ ${listGrams(needle)}::tsquery and words like ${pattern} or account_id = ${ownId})
            and account_id < ${before}
          order by account_id desc limit ${FOUND_MAX}`;
  return found.map(({ id }) => id);
}

/** By the database, which has folded the names: a process and a server do not agree on the case of every letter. */
async function foldCase(db: AppContext['db'], text: string): Promise<string> {
  const [row] = await db.$queryRaw<{ folded: string }[]>`select fold_case(${text}) as folded`;
  return row?.folded ?? text;
}

/** The groups of letters in a text as a query of PostgreSQL. A shorter text is the beginning of a group. */
function listGrams(text: string): string {
  const letters = [...text];
  const quote = (gram: string[]) => `'${gram.join('').replace(/['\\]/g, '$&$&')}'`;
  if (letters.length < GRAM) return `${quote(letters)}:*`;
  return letters
    .slice(GRAM - 1)
    .map((_, place) => quote(letters.slice(place, place + GRAM)))
    .join(' & ');
}
