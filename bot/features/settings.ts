import { Composer, InlineKeyboard } from 'grammy';
import { getAccountFacts, setTellsResults } from '#api/services/chat/users.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import { describeLeaving } from './deletion.ts';

/** Settings: whether results of the site come to the chat, and which account is linked. */
export const settingsFeature = new Composer<BotContext>();

settingsFeature.command('settings', async (ctx) => ctx.say(...(await writeSettings(ctx))));

settingsFeature.callbackQuery(/^tells:(on|off)$/, async (ctx) => {
  const tellsResults = ctx.match[1] === 'on';
  await setTellsResults(ctx.app, ctx.accountId, tellsResults);
  ctx.user = { ...ctx.user, tellsResults };
  await ctx.show(...(await writeSettings(ctx)));
});

async function writeSettings(ctx: BotContext): Promise<[string, InlineKeyboard]> {
  const { email, transferConsentVersion } = await getAccountFacts(ctx.app, ctx.accountId);
  const { tellsResults } = ctx.user;
  const keyboard = new InlineKeyboard();
  if (email !== null) {
    keyboard.text(BUTTONS.tellsResults(tellsResults), writeCallback('tells', tellsResults ? 'off' : 'on')).row();
    keyboard.text(BUTTONS.unlink, 'unlink');
  } else keyboard.text(BUTTONS.link, 'link');
  if (transferConsentVersion !== null) keyboard.row().text(BUTTONS.withdraw, 'withdraw');
  const text = MESSAGES.settings(email ?? MESSAGES.telegramAccount, email !== null);
  const leaving = await describeLeaving(ctx.app, ctx.accountId);
  return leaving ? [`${text}\n\n${leaving[0]}`, leaving[1].append(keyboard)] : [text, keyboard];
}
