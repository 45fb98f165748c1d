import { Composer, InlineKeyboard } from 'grammy';
import { reportResult } from '#api/services/generations/reports/result-reports.ts';
import { getFinishedGeneration } from '#api/services/generations/results/find-generation.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { restoreUuid, shortenUuid, writeCallback } from '#bot/keyboards/callback-data.ts';
import { BUTTONS, MESSAGES } from '#bot/messages.ts';
import { sendOnce } from '#bot/send-once.ts';
import {
  needsComment,
  REPORT_REASON_NAMES,
  REPORT_REASONS,
  REPORT_TEXT_MAX,
  type ReportReason,
} from '#shared/rules/result-reports.ts';

/** A complaint about a result: about which one, why, and in the person's words where no reason fits. */
export const reportsFeature = new Composer<BotContext>();

interface Place {
  generationId: string;
  position: number;
}

reportsFeature.callbackQuery(/^report:([\w-]{22})$/, async (ctx) => {
  const generationId = restoreUuid(ctx.match[1]);
  const { results } = await getFinishedGeneration(ctx.app.db, ctx.accountId, generationId);
  const [{ position }, ...others] = results;
  if (others.length === 0) return ctx.say(...writeReasons({ generationId, position }));
  const keyboard = new InlineKeyboard();
  for (const result of results) {
    const data = writeCallback('report-one', shortenUuid(generationId), result.position);
    keyboard.text(BUTTONS.frame(result.position + 1), data).row();
  }
  await ctx.say(MESSAGES.reportedFrame, keyboard);
});

reportsFeature.callbackQuery(/^report-one:([\w-]{22}):(\d{1,2})$/, (ctx) =>
  ctx.show(...writeReasons(readPlace(ctx.match as RegExpMatchArray))),
);

reportsFeature.callbackQuery(/^report-why:([\w-]{22}):(\d{1,2}):(\w{1,32})$/, async (ctx) => {
  const reason = REPORT_REASON_NAMES.find((name) => name === ctx.match[3]);
  if (!reason) return ctx.answer(MESSAGES.buttonGone);
  if (needsComment(reason)) return askForWords(ctx, readPlace(ctx.match as RegExpMatchArray));
  await complain(ctx, readPlace(ctx.match as RegExpMatchArray), { reason, comment: null });
  await ctx.show(MESSAGES.reported);
});

/** The bot keeps no state of a conversation, so its question carries the result, and the answer quotes the question. */
const MARK = /№ ([\w-]{22})\.(\d{1,2})$/;

reportsFeature.on('message:text', async (ctx, next) => {
  const question = ctx.message.reply_to_message;
  const mark = question?.from?.id === ctx.me.id ? MARK.exec(question.text ?? '') : null;
  // A command stays a command, also as a reply.
  if (!mark || ctx.message.text.startsWith('/')) return next();
  await complain(ctx, readPlace(mark), { reason: 'other', comment: ctx.message.text.slice(0, REPORT_TEXT_MAX) });
  await ctx.say(MESSAGES.reported);
});

async function askForWords(ctx: BotContext, { generationId, position }: Place): Promise<void> {
  const text = MESSAGES.describeComplaint(`№ ${shortenUuid(generationId)}.${position}`);
  await sendOnce(ctx.app, ctx.nextCause(), () =>
    ctx.api.sendMessage(ctx.chatNumber, text, { reply_markup: { force_reply: true } }),
  );
}

function complain(ctx: BotContext, place: Place, complaint: { reason: ReportReason; comment: string | null }) {
  return reportResult(ctx.app, ctx.accountId, place, complaint);
}

function writeReasons({ generationId, position }: Place): [string, InlineKeyboard] {
  const keyboard = new InlineKeyboard();
  for (const name of REPORT_REASON_NAMES) {
    const data = writeCallback('report-why', shortenUuid(generationId), position, name);
    keyboard.text(REPORT_REASONS[name], data).row();
  }
  return [MESSAGES.reportReason, keyboard];
}

function readPlace([, generation = '', position]: RegExpMatchArray): Place {
  return { generationId: restoreUuid(generation), position: Number(position) };
}
