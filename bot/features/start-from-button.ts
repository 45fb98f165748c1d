import { AppError } from '#api/platform/errors.ts';
import { findOrderOfMessage, followInChat } from '#api/services/chat/orders.ts';
import { type GenerationRequest, startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { showOrder } from '#bot/follow-orders.ts';
import { MESSAGES } from '#bot/messages.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { offerStars } from './balance.ts';

/**
 * Starts the generation of the pressed button and turns its message into the progress message. The message is the
 * idempotency key: it starts one generation, however often the button is pressed.
 */
export async function startFromButton<Kind extends GenerationKind>(
  ctx: BotContext,
  stars: number,
  order: Pick<GenerationRequest<Kind>, 'kind' | 'photos' | 'choice'>,
): Promise<void> {
  const message = ctx.callbackQuery?.message;
  if (!message) return ctx.answer(MESSAGES.photoGone);
  const place = { chatId: message.chat.id, messageId: message.message_id };
  try {
    const { generationId } = await startGeneration(ctx.app, {
      ...order,
      account: { id: ctx.accountId },
      key: `telegram:${place.chatId}:${place.messageId}`,
    });
    await followInChat(ctx.app, { generationId, ...place });
    await showOrder(ctx.app, ctx.api, generationId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const balance = await getBalance(ctx.app, ctx.accountId);
    if (error.code === 'not_enough_stars') await ctx.say(MESSAGES.notEnoughStars(stars, balance));
    else if (error.code === 'engine_free_runs_reached') await ctx.say(`${error.message}.`);
    else throw error;
    await offerStars(ctx);
  }
}

/** Throws if the generation was started, so that the menu does not replace its progress message. */
export async function assertNotStarted(ctx: BotContext): Promise<void> {
  const message = ctx.callbackQuery?.message;
  if (message && (await findOrderOfMessage(ctx.app, message.chat.id, message.message_id))) {
    throw new AppError('idempotency_key_reused');
  }
}
