import { createHmac } from 'node:crypto';
import { AppError } from '#api/platform/errors.ts';
import { isSameSecret } from '#api/platform/same-secret.ts';
import { lockChat, partChats } from '#api/services/accounts/chats.ts';
import { mailOwner } from '#api/services/accounts/mails.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { PARTING_PARAMETER } from '#shared/contract/telegram.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const DAYS = 7;
const LIFETIME_MS = DAYS * 24 * 60 * 60_000;
const TOKEN = /^(\d{1,10})\.(\d{1,15})\.([\w-]{43})$/;

/** A link between an account and a chat. A later one of the same two is another one. */
interface ChatLink {
  accountId: number;
  linkedAt: Date;
}

/**
 * Tells the owner which chat got access to the account, with a link that takes it away. Sends nothing when the chat has
 * been parted since. Throws when the mail server did not accept it.
 */
export async function sendTelegramLinkedMail(
  app: AppContext,
  job: { accountId: number; linkedAt: string },
): Promise<void> {
  const link = { accountId: job.accountId, linkedAt: new Date(job.linkedAt) };
  const user = await app.db.telegramUser.findFirst({ where: link });
  const account = await app.db.account.findUniqueOrThrow({ where: { id: job.accountId } });
  if (!user) return;
  // A first name may be any text, and this mail is ours.
  const chat = user.username ? `Чат @${user.username}` : 'Чат Telegram без имени @';
  await mailOwner(app, account, {
    subject: 'К аккаунту подключён чат Telegram — «Подиум»',
    heading: 'К аккаунту подключён чат',
    paragraphs: [
      `${chat} получил доступ к вашему аккаунту: видит фото, видео и изображения, может создавать новые и тратить звёзды. Подключение подтвердили паролем.`,
      'Если это сделали вы, ничего делать не нужно.',
    ],
    button: {
      address: `${app.config.publicUrl}${PATHS.chatAccess}?${PARTING_PARAMETER}=${createToken(app.config, link)}`,
      text: 'Отключить чат',
    },
    footnote: `Если чат подключили не вы, отключите его и смените пароль: кто-то его знает. Ссылка действует ${DAYS} дней, один раз, и только отключает чат. Позже это можно сделать в настройках.`,
    isButtonForFootnote: true,
  });
}

/** Parts the chat of a mailed link and does nothing else. Throws AppError parting_link_invalid. */
export async function partByLink(app: AppContext, token: string): Promise<void> {
  const link = readToken(app.config, token);
  const isParted =
    link !== null &&
    link.linkedAt.getTime() > Date.now() - LIFETIME_MS &&
    (await app.db.$transaction(async (tx) => {
      await lockChat(tx, link.accountId);
      const isLinked = (await tx.telegramUser.count({ where: link })) === 1;
      return isLinked && (await partChats(tx, link.accountId)) === 1;
    }));
  if (!isParted) throw new AppError('parting_link_invalid');
  app.log.info({ action: 'telegram_unlinked', accountId: link.accountId, by: 'mailed link' }, 'Telegram unlinked');
}

/** It needs no row: it is void when the chat is parted. */
function createToken(config: AppContext['config'], link: ChatLink): string {
  return `${link.accountId}.${link.linkedAt.getTime()}.${sign(config, link)}`;
}

function readToken(config: AppContext['config'], token: string): ChatLink | null {
  const [, accountId, linkedAt, signature = ''] = TOKEN.exec(token) ?? [];
  if (!signature) return null;
  const link = { accountId: Number(accountId), linkedAt: new Date(Number(linkedAt)) };
  return isSameSecret(signature, sign(config, link)) ? link : null;
}

function sign({ sessionSecret }: AppContext['config'], { accountId, linkedAt }: ChatLink): string {
  return createHmac('sha256', sessionSecret).update(`part-chat:${accountId}:${linkedAt.getTime()}`).digest('base64url');
}
