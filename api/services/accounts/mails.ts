import type { Tx } from '#api/database/database.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { isErasedKey } from '#api/services/core/erased-key.ts';
import { type Letter, sendLetter } from '#api/services/core/mail-page.ts';
import type { Account } from '#prisma/generated/client.ts';
import { HELP_PATH, PATHS } from '#shared/rules/app-paths.ts';
import { countStarsPaid } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
import { DELETION_GRACE_DAYS, dateOfErasure } from '#shared/rules/retention.ts';
import { getOwnEmail } from './email-address.ts';
import { CODE_LIFETIME_MS } from './email-codes.ts';

interface CodeMail {
  to: string;
  code: string;
}

interface CodeMailWords {
  subject: string;
  heading: string;
  whatToDo: string;
  ifNotYou: string;
  page: string;
}

const CODE_MINUTES = CODE_LIFETIME_MS / 60_000;

/** Mails the code that confirms an address. Throws when the mail server did not accept it. */
export function sendVerificationMail(app: AppContext, mail: CodeMail): Promise<void> {
  return sendCodeMail(app, mail, {
    subject: 'Код подтверждения — «Подиум»',
    heading: 'Подтвердите email',
    whatToDo: `Введите этот код на странице подтверждения. За подтверждение мы подарим вам ${countStarsPaid(SIGNUP_BONUS_STARS)}.`,
    ifNotYou: 'Если вы не регистрировались в «Подиуме», ничего делать не нужно: без кода адрес не подтвердится.',
    page: '/verify-email',
  });
}

/** Mails the code that sets a new password. Throws when the mail server did not accept it. */
export function sendPasswordResetMail(app: AppContext, mail: CodeMail): Promise<void> {
  return sendCodeMail(app, mail, {
    subject: 'Код для нового пароля — «Подиум»',
    heading: 'Новый пароль',
    whatToDo: 'Введите этот код на странице восстановления и придумайте новый пароль.',
    ifNotYou: 'Если вы не просили новый пароль, ничего делать не нужно: прежний продолжает действовать.',
    page: '/auth/reset',
  });
}

/** Mails the code that changes an account's address to this one. Throws when the mail server did not accept it. */
export function sendEmailChangeCode(app: AppContext, mail: CodeMail): Promise<void> {
  return sendCodeMail(app, mail, {
    subject: 'Код для смены email — «Подиум»',
    heading: 'Новый email',
    whatToDo: 'Введите этот код в настройках. После этого входить нужно будет с этим адресом.',
    ifNotYou: 'Если вы не меняли email в «Подиуме», ничего делать не нужно: без кода адрес не изменится.',
    page: '/settings',
  });
}

/** The code is on its own line and precedes all other Latin words and digits, so that it is easy to copy. */
async function sendCodeMail(app: AppContext, { to, code }: CodeMail, words: CodeMailWords): Promise<void> {
  const style =
    "margin:0 0 16px;padding:16px;background:#f4f2ee;border-radius:12px;text-align:center;font-family:'Courier New',monospace;font-size:32px;font-weight:bold;letter-spacing:6px";
  await sendLetter(app, to, {
    subject: words.subject,
    heading: words.heading,
    paragraphs: [
      { text: code, html: `<p style="${style}">${code}</p>` },
      words.whatToDo,
      `Код действует ${CODE_MINUTES} минут и подходит один раз. Никому его не сообщайте.`,
    ],
    button: { address: `${app.config.publicUrl}${words.page}`, text: 'Открыть страницу' },
    footnote: words.ifNotYou,
  });
}

const DAY = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long', timeZone: 'Europe/Moscow' });

/**
 * Tells the owner what the requested deletion removes and how to cancel it. Sends nothing when the deletion has been
 * cancelled or carried out. Throws when the mail server did not accept it.
 */
export async function sendDeletionMail(app: AppContext, accountId: number): Promise<void> {
  const account = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
  if (!account.deletionAskedAt) return;
  const erasesAt = DAY.format(dateOfErasure(account.deletionAskedAt));
  await mailOwner(app, account, {
    subject: 'Аккаунт будет удалён — «Подиум»',
    heading: 'Вы попросили удалить аккаунт',
    paragraphs: [
      `Мы удалим его ${erasesAt}, через ${DELETION_GRACE_DAYS} дней после запроса. До этого дня вы можете войти и скачать свои данные; создавать и покупать новое нельзя. На остальных устройствах выполнен выход.`,
      'Будут удалены имя, email, фото, видео и изображения, связь с Telegram, заявка на интервью и сеансы. Неизрасходованные звёзды пропадут. Записи о платежах и звёздах останутся без имени и адреса: их хранения требует закон.',
      'Передумали? Войдите и нажмите «Отменить удаление» в настройках.',
    ],
    button: { address: `${app.config.publicUrl}${PATHS.settings}`, text: 'Открыть настройки' },
    footnote:
      'Если удаление запросили не вы, войдите, отмените его и смените пароль в настройках: кто-то знает ваш пароль.',
  });
}

/** Tells the former address. The new one may belong to somebody else, so the mail does not name it. */
export function sendEmailChangedMail(app: AppContext, { formerEmail }: { formerEmail: string }): Promise<void> {
  return sendLetter(app, formerEmail, {
    subject: 'Email аккаунта изменён — «Подиум»',
    heading: 'Email аккаунта изменён',
    paragraphs: [
      'Для входа и писем теперь действует другой адрес. Изменение подтвердили паролем и кодом из письма на новый адрес.',
      'На остальных устройствах выполнен выход. Звёзды, фото и результаты остались в аккаунте.',
    ],
    button: { address: `${app.config.publicUrl}${HELP_PATH}`, text: 'Написать нам' },
    footnote: 'Если email изменили не вы, сразу напишите нам: кто-то знает ваш пароль.',
    isButtonForFootnote: true,
  });
}

/** Queues the mail that tells the owner of a new password, with the transaction that sets it. */
export function queuePasswordChangedMail(app: Pick<AppContext, 'queue'>, tx: Tx, accountId: number): Promise<unknown> {
  return app.queue.send(tx, 'send-password-changed-mail', { accountId, changedAt: new Date().toISOString() });
}

/**
 * Tells the owner that the account has a new password. Sends nothing to an erased account. Throws when the mail server
 * did not accept it.
 */
export async function sendPasswordChangedMail(app: AppContext, { accountId }: { accountId: number }): Promise<void> {
  const account = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
  await mailOwner(app, account, {
    subject: 'Пароль аккаунта изменён — «Подиум»',
    heading: 'Пароль аккаунта изменён',
    paragraphs: [
      'Прежний пароль больше не действует, на остальных устройствах выполнен выход.',
      'Если пароль изменили вы, ничего делать не нужно.',
    ],
    button: { address: `${app.config.publicUrl}${PATHS.passwordReset}`, text: 'Восстановить доступ' },
    footnote:
      'Если пароль изменили не вы, сразу задайте новый: код для него придёт на этот адрес. Пароль от почты тоже смените: его могут знать.',
    isButtonForFootnote: true,
  });
}

/** Sends nothing to an erased account, which has no address. Throws when the mail server did not accept it. */
export async function mailOwner(
  app: Pick<AppContext, 'mailer'>,
  account: Pick<Account, 'email' | 'emailKey'>,
  letter: Letter,
): Promise<void> {
  if (!isErasedKey(account.emailKey)) await sendLetter(app, getOwnEmail(account), letter);
}
