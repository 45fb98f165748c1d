import { Composer, InlineKeyboard } from 'grammy';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { listFinishedGenerations } from '#api/services/generations/results/find-generation.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { shortenUuid, writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES, TOOL_NAMES } from '#bot/messages.ts';
import { canBeButton, siteAddress } from '#bot/site-address.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const A_PAGE = 6;
const MOMENT = new Intl.DateTimeFormat('ru-RU', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Europe/Moscow',
});

export const galleryFeature = new Composer<BotContext>();

galleryFeature.command('gallery', async (ctx) => ctx.say(...(await writeGallery(ctx, 0))));

galleryFeature.callbackQuery(/^gallery:(\d{1,6})$/, async (ctx) =>
  ctx.show(...(await writeGallery(ctx, Number(ctx.match[1])))),
);

async function writeGallery(ctx: BotContext, page: number): Promise<[string, InlineKeyboard?]> {
  const found = await listFinishedGenerations(ctx.app.db, ctx.accountId, { skip: page * A_PAGE, take: A_PAGE + 1 });
  // There are not that many pages, or not any more.
  if (found.length === 0 && page > 0) return writeGallery(ctx, 0);
  if (found.length === 0) return [MESSAGES.emptyGallery];
  const keyboard = new InlineKeyboard();
  for (const generation of found.slice(0, A_PAGE)) {
    const name = TOOL_NAMES[resultKindOf(generation)];
    const data = writeCallback('result', shortenUuid(generation.id));
    keyboard.text(`${name}, ${MOMENT.format(generation.createdAt)}`, data).row();
  }
  if (page > 0) keyboard.text(BUTTONS.previous, writeCallback('gallery', page - 1));
  if (found.length > A_PAGE) keyboard.text(BUTTONS.next, writeCallback('gallery', page + 1));
  if (canBeButton(ctx.app)) keyboard.row().url(BUTTONS.openOnSite, siteAddress(ctx.app, PATHS.gallery));
  return [MESSAGES.gallery, keyboard];
}
