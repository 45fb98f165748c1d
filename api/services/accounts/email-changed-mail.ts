import type { Mail } from '#api/adapters/mail/mailer.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { MAIL_PARAGRAPH, renderMailPage } from '#api/services/ground/mail-page.ts';
import { timeOperation } from '#api/services/ground/timed-operation.ts';
import { HELP_PATH } from '#shared/rules/app-paths.ts';

const SUBJECT = 'Email аккаунта изменён — «Подиум»';
const HEADING = 'Email аккаунта изменён';
const IF_NOT_YOU = 'Если email изменили не вы, сразу напишите нам: кто-то знает ваш пароль.';

/** Tells the former address that it is not the account's any more. The new one is not named: it may be somebody else's. */
export async function sendEmailChangedMail(app: AppContext, { formerEmail }: { formerEmail: string }): Promise<void> {
  const mail = buildMail(`${app.config.publicUrl}${HELP_PATH}`);
  await timeOperation(app, 'send_mail', () => app.mailer.send({ to: formerEmail, ...mail }));
}

function buildMail(address: string): Omit<Mail, 'to'> {
  const paragraphs = [
    'Для входа и писем теперь действует другой адрес. Изменение подтвердили паролем и кодом из письма на новый адрес.',
    'На остальных устройствах выполнен выход. Звёзды, фото и результаты остались в аккаунте.',
  ];
  return {
    subject: SUBJECT,
    text: [HEADING, ...paragraphs, IF_NOT_YOU, address, '«Подиум»'].join('\n\n'),
    html: renderMailPage({
      subject: SUBJECT,
      heading: HEADING,
      content: paragraphs.map((text) => `<p style="${MAIL_PARAGRAPH}">${text}</p>`).join('\n'),
      button: { address, text: 'Написать нам' },
      footnote: IF_NOT_YOU,
    }),
  };
}
