import type { AppContext } from '#api/services/app-context.ts';
import { type Letter, sendLetter } from '#api/services/core/mail-page.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import type { News, NoticeChannel } from './channel.ts';

/**
 * A mail to a person who allowed it and is reached by nothing else. A crash while the mail server takes it loses it: a
 * second mail would stay in the mailbox beside the first.
 */
export const mailNotices: NoticeChannel = {
  name: 'mail',
  isFallback: true,
  yieldsToPage: true,
  delivery: 'at_most_once',

  async listTargets(_app, tx, { accountId }) {
    const account = await tx.account.findFirst({
      where: {
        id: accountId,
        mailsResults: true,
        email: { not: null },
        emailVerifiedAt: { not: null },
      },
      select: { id: true },
    });
    return account ? [String(account.id)] : [];
  },

  async send(app, news) {
    const { email, mailsResults } = await app.db.account.findUniqueOrThrow({ where: { id: news.accountId } });
    if (!email || !mailsResults) return { state: 'dropped', isGone: false, detail: 'not wanted any more' };
    await sendLetter(app, email, writeLetter(app, news));
    return { state: 'sent' };
  },
};

function writeLetter(app: Pick<AppContext, 'config'>, news: News): Letter {
  const { title, body, address, linkText } = news;
  const settingsUrl = `${app.config.publicUrl}${PATHS.settings}`;
  const footnote =
    'Вы получили это письмо, потому что разрешили писать о результатах. Отключить письма можно в настройках';
  return {
    subject: `${title} — «Подиум»`,
    heading: title,
    paragraphs: [body],
    button: { address, text: linkText },
    footnote: {
      text: `${footnote}: ${settingsUrl}`,
      html: `${footnote}: <a href="${settingsUrl}" style="color:#6b665e">${settingsUrl}</a>`,
    },
  };
}
