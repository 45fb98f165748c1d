import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { ERRORS } from '#shared/contract/errors.ts';

const RUSSIAN_KEYS = 'ёйцукенгшщзхъфывапролджэячсмитьбю';
const LATIN_KEYS = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";

/**
 * Throws AppError password_common, unless COMMON_PASSWORDS allows them. Lists of leaked passwords hold Russian words as
 * a Latin layout types them («пароль» is `gfhjkm`), so a password is also looked up by its keys.
 */
export async function refuseCommonPassword(
  app: Pick<AppContext, 'config'>,
  password: string,
  field: 'password' | 'newPassword',
): Promise<void> {
  if (!app.config.refusesCommonPasswords || !(await isCommon(password))) return;
  throw new AppError('password_common', { fields: { [field]: ERRORS.password_common.message } });
}

async function isCommon(password: string): Promise<boolean> {
  // Loaded on first use: most processes never set a password. A set would double the memory.
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const typed = password.toLowerCase();
  const keys = typed.replaceAll(/[а-яё]/g, (letter) => LATIN_KEYS[RUSSIAN_KEYS.indexOf(letter)] ?? letter);
  const common = dictionary['passwords-common'];
  return common.includes(typed) || common.includes(keys);
}
