import { z } from 'zod';
import { createOrRenewAdmin } from '#api/services/accounts.ts';
import type { OperatorContext } from './operator-commands.ts';

/** `npm run admin -- <email>`: creates or renews the administrator's account. Throws on anything but an e-mail. */
export async function runAdminCommand(app: OperatorContext, args: string[]): Promise<string> {
  const email = z.email().safeParse(args[0]);
  if (!email.success || args.length !== 1) throw new Error('Whose account? npm run admin -- <email>');
  const { password } = await createOrRenewAdmin(app, email.data);
  return `Администратор: ${email.data}\nПароль: ${password}`;
}
