import type { Mail } from '#api/adapters/mail/mailer.ts';
import type { AppContext } from '#api/app-context.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
import { CODE_LIFETIME_MS } from './email-codes.ts';
import { timeOperation } from './timed-operation.ts';

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
    whatToDo: `Введите этот код на странице подтверждения. За подтверждение мы подарим вам ${countStars(SIGNUP_BONUS_STARS)}.`,
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

async function sendCodeMail(app: AppContext, { to, code }: CodeMail, words: CodeMailWords): Promise<void> {
  const mail = buildCodeMail(code, words, `${app.config.publicUrl}${words.page}`);
  await timeOperation(app, 'send_mail', () => app.mailer.send({ to, ...mail }));
}

/** The code stands on a line of its own and before every other word of Latin letters or digits, ready to be copied. */
function buildCodeMail(code: string, words: CodeMailWords, address: string): Omit<Mail, 'to'> {
  const validity = `Код действует ${CODE_MINUTES} минут и подходит один раз. Никому его не сообщайте.`;
  const text = [words.heading, code, words.whatToDo, validity, address, words.ifNotYou, '«Подиум»'].join('\n\n');
  const html = `<!doctype html>
<html lang="ru">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${words.subject}</title></head>
<body style="margin:0;padding:24px 12px;background:#f4f2ee;font-family:Arial,Helvetica,sans-serif;color:#1d1b18">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:480px;margin:0 auto;background:#ffffff;border-radius:16px">
<tr><td style="padding:32px">
<p style="margin:0 0 24px;font-size:15px;font-weight:bold">Подиум</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${words.heading}</h1>
<p style="margin:0 0 16px;padding:16px;background:#f4f2ee;border-radius:12px;text-align:center;font-family:'Courier New',monospace;font-size:32px;font-weight:bold;letter-spacing:6px">${code}</p>
<p style="margin:0 0 16px;font-size:15px;line-height:1.5">${words.whatToDo}</p>
<p style="margin:0 0 24px;font-size:15px;line-height:1.5">${validity}</p>
<p style="margin:0 0 24px"><a href="${address}" style="display:inline-block;padding:12px 20px;background:#1d1b18;border-radius:10px;color:#ffffff;font-size:15px;text-decoration:none">Открыть страницу</a></p>
<p style="margin:0;font-size:13px;line-height:1.5;color:#6b665e">${words.ifNotYou}</p>
</td></tr>
</table>
</body>
</html>
`;
  return { subject: words.subject, text, html };
}
