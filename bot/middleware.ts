import { InlineKeyboard, type MiddlewareFn } from 'grammy';
import { AppError } from '#api/platform/errors.ts';
import { resumeBatches } from '#api/services/chat/batches.ts';
import { resumeOrders } from '#api/services/chat/orders.ts';
import { countRecentUpdates } from '#api/services/chat/updates.ts';
import {
  acceptBotTerms,
  ensureTelegramAccount,
  findUnreachableSince,
  hasAcceptedTerms,
  markUnreachable,
  upsertTelegramUser,
} from '#api/services/chat/users.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { TOOL_OBSTACLES } from '#shared/contract/tools.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import type { BotContext } from './bot-context.ts';
import { askForTransfer } from './features/consents.ts';
import { describeLeaving } from './features/deletion.ts';
import { welcome } from './features/help.ts';
import { offerLink, readLinkToken } from './features/linking.ts';
import { writeCallback } from './keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from './messages.ts';
import { sendOnce } from './send-once.ts';
import { siteAddress } from './site-address.ts';

/**
 * Lets only private chats through. Groups get a polite refusal. A person who blocks the bot is marked as unreachable.
 */
export const privateChatsOnly: MiddlewareFn<BotContext> = async (ctx, next) => {
  if (ctx.chat && ctx.chat.type !== 'private') {
    const isJoined = ctx.myChatMember?.new_chat_member.status === 'member';
    const isAddressed = isJoined || ctx.message?.text?.startsWith('/') || isMentioned(ctx);
    if (isAddressed && (await isFirst(ctx))) await ctx.say(MESSAGES.onlyPrivate);
    return;
  }
  if (ctx.myChatMember) {
    if (ctx.myChatMember.new_chat_member.status === 'kicked') await markUnreachable(ctx.app, BigInt(ctx.chatNumber));
    return;
  }
  await next();
};

function isMentioned({ message, me }: BotContext): boolean {
  const words = message?.text ?? message?.caption ?? '';
  return words.toLowerCase().includes(`@${me.username.toLowerCase()}`);
}

/** A group is told only once in a while, because more would annoy. */
function isFirst({ app, chatNumber }: BotContext): Promise<boolean> {
  return app.state.groupAnswers(String(chatNumber)).then(
    () => true,
    () => false,
  );
}

/** Answers every pressed button. Without an answer it keeps spinning. */
export const answerButtons: MiddlewareFn<BotContext> = async (ctx, next) => {
  await next();
  await ctx.answer();
};

/** Loads the person who writes. Other bots and channels are ignored. */
export const loadTelegramUser: MiddlewareFn<BotContext> = async (ctx, next) => {
  if (!ctx.from || ctx.from.is_bot) return;
  const since = await findUnreachableSince(ctx.app, ctx.from.id);
  if (since) {
    await resumeBatches(ctx.app, ctx.from.id, { since });
    await resumeOrders(ctx.app, ctx.from.id, { since });
  }
  ctx.user = await upsertTelegramUser(ctx.app, ctx.from);
  await next();
};

/** Limit for the messages and buttons of one person, by the time of their arrival. */
const MAX_UPDATES = 30;
const WINDOW_MS = 30_000;

export const limitRate: MiddlewareFn<BotContext> = async (ctx, next) => {
  const count = await countRecentUpdates(ctx.app, { updateId: ctx.update.update_id, windowMs: WINDOW_MS });
  if (count <= MAX_UPDATES) return next();
  const text = MESSAGES.tooOften(WINDOW_MS / 1000);
  if (ctx.callbackQuery) return ctx.answer(text);
  const causeKey = `too-often:${ctx.chatNumber}:${Math.floor(Date.now() / WINDOW_MS)}`;
  await sendOnce(ctx.app, { causeKey, chatId: ctx.chatNumber }, () => ctx.api.sendMessage(ctx.chatNumber, text));
};

/** Turns expected errors into texts, shown as a notice after a button. All other errors are retried. */
export const translateErrors: MiddlewareFn<BotContext> = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof AppError) || (error.status >= 500 && !isObstacle(error))) throw error;
    const { accountId } = ctx.user;
    const leaving =
      error.code === 'deletion_asked' && accountId !== null && (await describeLeaving(ctx.app, accountId));
    if (leaving) {
      await ctx.answer(MESSAGES.deletionPending);
      return ctx.say(...leaving);
    }
    // The account's consent is older than the one given here.
    if (error.code === 'consent_required') return askForTerms(ctx);
    if (error.code === 'transfer_consent_required') return askForTransfer(ctx);
    const text = REFUSALS[error.code] ?? error.message.replace(/[^.!?…]$/, '$&.');
    if (ctx.callbackQuery) await ctx.answer(text);
    else await ctx.say(text);
  }
};

/** Whether nothing can be made now. A repeat of the update would be refused as well. */
function isObstacle({ code }: AppError): boolean {
  return (LASTING_REFUSALS as readonly ErrorCode[]).includes(code);
}

const LASTING_REFUSALS = [...TOOL_OBSTACLES, 'storage_full', 'storage_unavailable'] as const;

/** Refusals that the bot says in words of its own. */
const REFUSALS: Partial<Record<ErrorCode, string>> = {
  active_generation: MESSAGES.activeGeneration,
  idempotency_key_reused: MESSAGES.alreadyStarted,
  photo_not_found: MESSAGES.photoGone,
  photo_forbidden: MESSAGES.photoGone,
  photo_too_large: MESSAGES.fileTooLarge,
  photo_missing: MESSAGES.emptyFile,
  photo_not_image: MESSAGES.notAPhoto,
  photo_format_refused: MESSAGES.formatRefused,
  photo_heic_unsupported: MESSAGES.heicUnreadable,
  photo_avif_unsupported: MESSAGES.avifUnreadable,
  photo_too_small: MESSAGES.photoTooSmall,
  photo_too_many_pixels: MESSAGES.photoTooLarge,
  photo_unreadable: MESSAGES.photoUnreadable,
  premium_background: MESSAGES.premiumBackground,
  generation_not_found: MESSAGES.resultGone,
  generation_forbidden: MESSAGES.resultForeign,
  generation_finished: MESSAGES.hasEnded,
  package_unknown: MESSAGES.packageGone,
};

const ACCEPT = /^terms:([^:]{1,64})(?::([\w-]{22}))?$/;

export const termsGate: MiddlewareFn<BotContext> = async (ctx, next) => {
  const accepted = ACCEPT.exec(ctx.callbackQuery?.data ?? '');
  if (accepted) return accept(ctx, accepted[1] ?? '', accepted[2] ?? null);
  if (hasAcceptedTerms(ctx.user)) return next();
  if (ctx.callbackQuery) await ctx.answer(MESSAGES.termsFirst);
  await askForTerms(ctx);
};

async function askForTerms(ctx: BotContext): Promise<void> {
  const token = readLinkToken(ctx);
  const data = writeCallback('terms', DOCUMENTS_VERSION, ...(token ? [token] : []));
  const text = MESSAGES.terms(siteAddress(ctx.app, PATHS.botPolicy), { haveChanged: ctx.user.termsVersion !== null });
  await ctx.say(text, new InlineKeyboard().text(BUTTONS.accept, data));
}

async function accept(ctx: BotContext, version: string, token: string | null): Promise<void> {
  // This consent is to an old version. Another one is current now.
  if (version !== DOCUMENTS_VERSION) {
    return hasAcceptedTerms(ctx.user) ? ctx.answer(MESSAGES.buttonGone) : askForTerms(ctx);
  }
  ctx.user = await acceptBotTerms(ctx.app, ctx.user.id);
  await ctx.show(MESSAGES.accepted);
  if (token) await offerLink(ctx, token);
  else await welcome(ctx);
}

/** Everybody who has accepted the terms has an account, a linked one or a new one. */
export const findAccount: MiddlewareFn<BotContext> = async (ctx, next) => {
  const { accountId } = await ensureTelegramAccount(ctx.app, ctx.user.id);
  ctx.accountId = accountId;
  await next();
};
