import type { AppContext } from '#api/services/app-context.ts';
import { isAccountId } from '#api/services/ground/cursors.ts';
import { Prisma } from '#prisma/generated/client.ts';
import { ADMIN_PAGE_SIZE } from '#shared/contract/administration.ts';

/** No account has this id or a larger one. */
const ID_END = 2 ** 31 - 1;

/**
 * The newest accounts whose e-mail or name contains the text, in any case, or whose id it is: one more than a page of
 * them. `before`: only accounts with smaller ids. Looks through all accounts.
 */
export async function findAccounts(
  { db }: Pick<AppContext, 'db'>,
  search: string,
  before: number = ID_END,
): Promise<number[]> {
  // % and _ are ordinary characters.
  const needle = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const ownId = /^\d{1,10}$/.test(search) && isAccountId(Number(search)) ? Number(search) : null;
  // The parts are divided by a character that nobody types.
  const names = Prisma.sql`concat_ws(chr(31), email_key, username, first_name, last_name)`;
  const found = await db.$queryRaw<{ id: number }[]>`
      with sought as materialized (select ${foldCase(Prisma.sql`${needle}::text`)} as pattern)
      select id from accounts
      where id < ${before} and (
        id = ${ownId}
        or ${foldCase(names)} like (select pattern from sought)
        or id in (
          select account_id from telegram_users
          where account_id is not null and ${foldCase(Prisma.sql`username`)} like (select pattern from sought)
        )
      )
      order by id desc limit ${ADMIN_PAGE_SIZE + 1}`;
  return found.map(({ id }) => id);
}

/** Lower case. With the locale C, as on the embedded database, `lower` and `ilike` know only Latin letters. */
function foldCase(text: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    translate(lower(${text}), 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ', 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя')`;
}
