import type { Mail } from '#api/adapters/mail/mailer.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { MAIL_PARAGRAPH, renderMailPage } from '#api/services/ground/mail-page.ts';
import { timeOperation } from '#api/services/ground/timed-operation.ts';
import { DELETION_GRACE_DAYS, dateOfErasure } from '#shared/rules/account-deletion.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { isErasedKey } from './former-email.ts';
import { getOwnEmail } from './own-email.ts';

const DAY = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long', timeZone: 'Europe/Moscow' });
const SUBJECT = 'Аккаунт будет удалён — «Подиум»';
const HEADING = 'Вы попросили удалить аккаунт';
const IF_NOT_YOU =
  'Если удаление запросили не вы, войдите, отмените его и смените пароль в настройках: кто-то знает ваш пароль.';

/** Mails what follows and how to take it back, unless that has been done already. Throws when the mail was not taken. */
export async function sendDeletionMail(app: AppContext, accountId: number): Promise<void> {
  const account = await app.db.account.findUniqueOrThrow({ where: { id: accountId } });
  if (!account.deletionAskedAt || isErasedKey(account.emailKey)) return;
  const mail = buildMail(dateOfErasure(account.deletionAskedAt), `${app.config.publicUrl}${PATHS.settings}`);
  await timeOperation(app, 'send_mail', () => app.mailer.send({ to: getOwnEmail(account), ...mail }));
}

function buildMail(erasesAt: Date, address: string): Omit<Mail, 'to'> {
  const paragraphs = [
    `Мы удалим его ${DAY.format(erasesAt)}, через ${DELETION_GRACE_DAYS} дней после запроса. До этого дня вы можете войти и скачать свои данные; создавать и покупать новое нельзя. На остальных устройствах выполнен выход.`,
    'Будут удалены имя, email, фото, видео и изображения, связь с Telegram, заявка на интервью и сеансы. Неизрасходованные звёзды пропадут. Записи о платежах и звёздах останутся без имени и адреса: их хранения требует закон.',
    'Передумали? Войдите и нажмите «Отменить удаление» в настройках.',
  ];
  return {
    subject: SUBJECT,
    text: [HEADING, ...paragraphs, address, IF_NOT_YOU, '«Подиум»'].join('\n\n'),
    html: renderMailPage({
      subject: SUBJECT,
      heading: HEADING,
      content: paragraphs.map((text) => `<p style="${MAIL_PARAGRAPH}">${text}</p>`).join('\n'),
      button: { address, text: 'Открыть настройки' },
      footnote: IF_NOT_YOU,
    }),
  };
}
