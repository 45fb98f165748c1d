import type { Mail } from '#api/adapters/mail/mailer.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { MAIL_PARAGRAPH, renderMailPage } from '#api/services/ground/mail-page.ts';
import { timeOperation } from '#api/services/ground/timed-operation.ts';
import { countStarsPaid } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
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

/** Mails the code that confirms an address. Throws when the mail server did not take it. */
export function sendVerificationMail(app: AppContext, mail: CodeMail): Promise<void> {
  return sendCodeMail(app, mail, {
    subject: 'Код подтверждения — «Подиум»',
    heading: 'Подтвердите email',
    whatToDo: `Введите этот код на странице подтверждения. За подтверждение мы подарим вам ${countStarsPaid(SIGNUP_BONUS_STARS)}.`,
    ifNotYou: 'Если вы не регистрировались в «Подиуме», ничего делать не нужно: без кода адрес не подтвердится.',
    page: '/verify-email',
  });
}

/** Mails the code that sets a new password. Throws when the mail server did not take it. */
export function sendPasswordResetMail(app: AppContext, mail: CodeMail): Promise<void> {
  return sendCodeMail(app, mail, {
    subject: 'Код для нового пароля — «Подиум»',
    heading: 'Новый пароль',
    whatToDo: 'Введите этот код на странице восстановления и придумайте новый пароль.',
    ifNotYou: 'Если вы не просили новый пароль, ничего делать не нужно: прежний продолжает действовать.',
    page: '/auth/reset',
  });
}

/** Mails the code that gives an account this address. Throws when the mail server did not take it. */
export function sendEmailChangeCode(app: AppContext, mail: CodeMail): Promise<void> {
  return sendCodeMail(app, mail, {
    subject: 'Код для смены email — «Подиум»',
    heading: 'Новый email',
    whatToDo: 'Введите этот код в настройках. После этого входить нужно будет с этим адресом.',
    ifNotYou: 'Если вы не меняли email в «Подиуме», ничего делать не нужно: без кода адрес не изменится.',
    page: '/settings',
  });
}

async function sendCodeMail(app: AppContext, { to, code }: CodeMail, words: CodeMailWords): Promise<void> {
  const mail = buildCodeMail(code, words, `${app.config.publicUrl}${words.page}`);
  await timeOperation(app, 'send_mail', () => app.mailer.send({ to, ...mail }));
}

/** The code stands on a line of its own and before every other word of Latin letters or digits, ready to be copied. */
function buildCodeMail(code: string, words: CodeMailWords, address: string): Omit<Mail, 'to'> {
  const validity = `Код действует ${CODE_MINUTES} минут и подходит один раз. Никому его не сообщайте.`;
  const text = [words.heading, code, words.whatToDo, validity, address, words.ifNotYou, '«Подиум»'].join('\n\n');
  const html = renderMailPage({
    subject: words.subject,
    heading: words.heading,
    content: `<p style="margin:0 0 16px;padding:16px;background:#f4f2ee;border-radius:12px;text-align:center;font-family:'Courier New',monospace;font-size:32px;font-weight:bold;letter-spacing:6px">${code}</p>
<p style="${MAIL_PARAGRAPH}">${words.whatToDo}</p>
<p style="${MAIL_PARAGRAPH}">${validity}</p>`,
    button: { address, text: 'Открыть страницу' },
    footnote: words.ifNotYou,
  });
  return { subject: words.subject, text, html };
}
