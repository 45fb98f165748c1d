import { type Api, InlineKeyboard, InputFile } from 'grammy';
import type { AppContext } from '#api/services/app-context.ts';
import { describeDrift } from '#api/services/chat/drift-sheets.ts';
import { findLinkedTelegram } from '#api/services/chat/users.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { findGeneration } from '#api/services/generations/results/find-generation.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { shortenUuid, writeCallback } from './keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from './messages.ts';
import { sendOnce } from './send-once.ts';

/** Shows what has drifted beside the photo, once, and offers the free re-roll. Throws ChatGoneError. */
export async function sendDrift(
  app: AppContext,
  api: Api,
  { generationId, chatId }: { generationId: string; chatId: string },
): Promise<void> {
  const generation = await findGeneration(app.db, generationId);
  const user = generation && (await findLinkedTelegram(app, generation.accountId));
  // The chat was unlinked since. Nobody else may see the account's results.
  if (!generation || user?.id !== BigInt(chatId)) return;
  const drift = await describeDrift(app, generation);
  if (!drift) return;
  const { drifts, positions, isRerollOffered } = drift;
  const frames = TOOLS[generation.kind].outputs.count > 1 ? positions : [];
  const keyboard = new InlineKeyboard().text(BUTTONS.reroll, writeCallback('reroll', shortenUuid(generationId)));
  const { isPremium } = await getPremiumStatus(app, generation.accountId);
  await sendOnce(app, { causeKey: `drift:${generationId}:${chatId}`, chatId: user.id }, () =>
    api.sendPhoto(Number(chatId), new InputFile(drift.sheet, 'drift.jpg'), {
      caption: MESSAGES.drift({ made: resultKindOf(generation), drifts, frames, isRerollOffered }),
      protect_content: !isPremium,
      ...(isRerollOffered ? { reply_markup: keyboard } : {}),
    }),
  );
}
