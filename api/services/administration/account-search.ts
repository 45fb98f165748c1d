import type { WithDb } from '#api/services/app-context.ts';
import { isAccountId } from '#api/services/core/cursors.ts';
import { toAnyCase } from '#api/services/core/text-search.ts';
import { ADMIN_PAGE_SIZE } from '#shared/contract/administration.ts';

const ID_END = 2 ** 31 - 1;

/**
 * The newest accounts whose e-mail or name contains the text, in any case, or whose id it is: one more than a page of
 * them. `before`: only accounts with smaller ids. Looks through all accounts.
 */
export async function findAccounts({ db }: WithDb, search: string, before: number = ID_END): Promise<number[]> {
  const pattern = toAnyCase(search);
  const ownId = /^\d{1,10}$/.test(search) && isAccountId(Number(search)) ? Number(search) : null;
  const found = await db.$queryRaw<{ id: number }[]>`
    select id from accounts
    where id < ${before} and (
      id = ${ownId}
      or concat_ws(chr(31), email_key, username, first_name, last_name) ~ ${pattern}
      or id in (select account_id from telegram_users where account_id is not null and username ~ ${pattern})
    )
    order by id desc limit ${ADMIN_PAGE_SIZE + 1}`;
  return found.map(({ id }) => id);
}
