import { parseArgs } from 'node:util';
import { z } from 'zod';
import { AppError } from '#api/platform/errors.ts';
import { createOrRenewAdmin, setAdminRole } from '#api/services/accounts/accounts.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { EMAIL_ADDRESS } from '#shared/rules/outside-text.ts';
import type { OperatorContext } from './operator-context.ts';

const USAGE = `npm run admin -- <email>              creates or renews the account of the first of ADMIN_USER_IDS: prints its password, removes its second factor
npm run admin -- <email> --promote    makes an account that exists an administrator
npm run admin -- <email> --demote     takes that back`;

/** The services' own messages are written for visitors of the site. */
const REFUSALS: Partial<Record<ErrorCode, (email: string) => string>> = {
  email_taken: (email) =>
    `${email}: the e-mail of nobody else (another account has it; --promote makes that one an administrator)`,
  account_not_found: (email) => `${email}: the e-mail of an account (there is none with it)`,
  forbidden: (email) =>
    `${email}: the e-mail of an account that is no administrator by ADMIN_USER_IDS (this one's id stands there, so it stays one; take the id out of the setting and start the server again)`,
  email_not_verified: (email) => `${email}: a confirmed e-mail (the account's owner has not entered the code yet)`,
};

/** `npm run admin -- <email>`: see USAGE. Throws an Error whose message is for the operator. */
export async function runAdminCommand(app: OperatorContext, args: string[]): Promise<string> {
  const { email, role } = readArguments(args);
  try {
    return role === null ? await renew(app, email) : await setRole(app, email, role);
  } catch (error) {
    const describe = error instanceof AppError ? REFUSALS[error.code] : undefined;
    throw describe ? new Error(describe(email)) : error;
  }
}

async function renew(app: OperatorContext, email: string): Promise<string> {
  const { password } = await createOrRenewAdmin(app, email);
  return `Администратор: ${email}\nПароль: ${password}`;
}

async function setRole(app: OperatorContext, email: string, role: 'promote' | 'demote'): Promise<string> {
  const isNew = await setAdminRole(app, email, role === 'promote');
  if (role === 'promote') return `Администратор: ${email}${isNew ? '' : ' (уже был)'}`;
  return `${isNew ? 'Роль администратора снята' : 'Роли администратора не было'}: ${email}`;
}

function readArguments(args: string[]): { email: string; role: 'promote' | 'demote' | null } {
  const flag = { type: 'boolean', default: false } as const;
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    strict: false,
    options: { promote: flag, demote: flag },
  });
  const unknown = Object.keys(values).filter((name) => name !== 'promote' && name !== 'demote');
  const [email = '', ...rest] = positionals;
  if (
    !z.email({ pattern: EMAIL_ADDRESS }).safeParse(email).success ||
    rest.length + unknown.length > 0 ||
    (values.promote && values.demote)
  ) {
    throw new Error(`An e-mail and at most one of --promote, --demote (found «${args.join(' ')}»)\n\n${USAGE}`);
  }
  return { email, role: values.promote ? 'promote' : values.demote ? 'demote' : null };
}
