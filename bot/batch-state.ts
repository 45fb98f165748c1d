import { type Api, InlineKeyboard } from 'grammy';
import type { Viewer } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getBatch } from '#api/services/batches/batches.ts';
import { type ChatBatch, changeChatBatch, findChatBatch } from '#api/services/chat/batches.ts';
import { findSentMessage } from '#api/services/chat/messages.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { PILOT_ROWS } from '#shared/rules/batches.ts';
import { GARMENT_CATEGORIES, GARMENT_CATEGORY_NAMES } from '#shared/rules/garments.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import {
  ASPECT_RATIOS,
  type AspectRatio,
  MOTION_NAMES,
  MOTION_PRESETS,
  type MotionPreset,
  resolveMotionPreset,
} from '#shared/rules/motion-presets.ts';
import { VIDEO_SECONDS, type VideoSeconds } from '#shared/rules/prices.ts';
import { batchPath } from '#shared/rules/result-links.ts';
import { CHANGE_NAMES } from '#shared/rules/tool-abilities.ts';
import { fitText, NAMELESS_PHOTO } from './batch-words.ts';
import { editMessage, type MessagePlace } from './edit-message.ts';
import { describeStart } from './features/tool-offer.ts';
import { restoreUuid, shortenUuid, writeCallback } from './keyboards/callback-data.ts';
import { BUTTONS, MESSAGES, TOOL_NAMES } from './messages.ts';
import { sendOnce } from './send-once.ts';
import { canBeButton, siteAddress } from './site-address.ts';

type Button = InlineKeyboard['inline_keyboard'][number][number];
/** Text and buttons of a message. */
export type Screen = [text: string, keyboard: InlineKeyboard];

/** How the message of a batch asks. `isReceiving`: more of its photos are on their way. */
interface Asking {
  isSetChosen: boolean;
  isReceiving: boolean;
}

export async function getViewer(app: AppContext, accountId: number): Promise<Viewer> {
  return { id: accountId, premium: await getPremiumStatus(app, accountId) };
}

/** What the message of a batch shows now. Throws batch_not_found, batch_forbidden. */
export async function writeBatch(
  app: AppContext,
  accountId: number,
  batchId: string,
  { isSetChosen, isReceiving }: Asking,
): Promise<Screen> {
  const viewer = await getViewer(app, accountId);
  const { batch, rows } = await getBatch(app, viewer, batchId);
  const isUnderWay = batch.status !== 'open';
  const hasRested = !isUnderWay && batch.startedAt !== null;
  const isAsking = batch.counts.ready > 0 || (!isUnderWay && !hasRested);
  const lines = [
    ...(isUnderWay ? [MESSAGES.runs(batch)] : []),
    ...(batch.pause ? [MESSAGES.paused(batch.pause)] : []),
    ...(hasRested ? describeEnd(batch, rows, viewer) : []),
    ...(isAsking && !isUnderWay ? [MESSAGES.collected(batch.counts.ready)] : []),
    ...describeRows(rows),
    ...describeWaiting(rows, isReceiving),
    ...(isAsking && batch.counts.ready > 0 ? await describeAsking(app, viewer, batch, rows, isSetChosen) : []),
  ];
  const buttons = [
    ...(isAsking && batch.counts.ready > 0 ? listStartButtons(app, batch, rows, isSetChosen) : []),
    ...(isUnderWay ? listRunButtons(batch) : []),
    ...(hasRested ? listEndButtons(batch) : []),
    ...listCommonButtons(app, batch),
  ];
  return [fitText(lines.join('\n\n')), InlineKeyboard.from(buttons)];
}

/** What the photos are, and why some are not taken. */
function describeRows(rows: readonly BatchRow[]): string[] {
  const articles = new Set(
    rows.flatMap(({ state, photo }) => (state === 'ready' && photo?.product ? [photo.product.article] : [])),
  );
  const refused = rows.filter(({ state }) => state === 'refused');
  const duplicates = rows.filter(({ state }) => state === 'duplicate');
  return [
    ...(articles.size > 0 ? [MESSAGES.articles([...articles])] : []),
    ...(refused.length > 0 ? [MESSAGES.refused(refused)] : []),
    ...(duplicates.length > 0 ? [MESSAGES.duplicates(duplicates)] : []),
  ];
}

function describeWaiting(rows: readonly BatchRow[], isReceiving: boolean): string[] {
  if (isReceiving) return [MESSAGES.receiving];
  const lost = rows.filter(({ state }) => state === 'uploading').length;
  return lost > 0 ? [MESSAGES.lostOnTheWay(lost)] : [];
}

async function describeAsking(
  app: AppContext,
  viewer: Viewer,
  batch: Batch,
  rows: readonly BatchRow[],
  isSetChosen: boolean,
): Promise<string[]> {
  const isCompressed = rows.some(({ state, name }) => state === 'ready' && name === NAMELESS_PHOTO);
  const advice = isCompressed && batch.startedAt === null ? [MESSAGES.sendAsFile] : [];
  if (!isSetChosen) return [...advice, MESSAGES.askTool];
  const { set, prices, affordableRows, secondsLeft, status } = batch;
  return [
    [
      MESSAGES.chosen(set, nameChoice(app, batch)),
      ...(batch.personPhoto ? [MESSAGES.person] : []),
      MESSAGES.batchPrice(prices.ready, affordableRows, await getBalance(app, viewer.id)),
      ...(status === 'open' && secondsLeft > 0 ? [MESSAGES.takes(secondsLeft)] : []),
      ...(await describeStart({ app, accountId: viewer.id }, set.kind)),
    ].join('\n'),
  ];
}

function nameChoice({ catalogue, engines }: AppContext, { set }: Batch) {
  const change = CHANGE_NAMES[describeTools({ engines }).change];
  if (set.kind !== 'model_change') return { model: null, background: null, change };
  const { modelId, backgroundId } = set.settings;
  return {
    model: catalogue.models.find(({ id }) => id === modelId)?.name ?? null,
    background: catalogue.backgrounds.find(({ id }) => id === backgroundId)?.name ?? null,
    change,
  };
}

function describeEnd(batch: Batch, rows: readonly BatchRow[], { premium }: Viewer): string[] {
  const failed = rows.filter(({ state }) => state === 'failed');
  return [
    MESSAGES.rested(batch),
    ...(failed.length > 0 ? [MESSAGES.reasons(failed)] : []),
    ...(batch.counts.done > 0 ? [premium.isPremium ? MESSAGES.batchOriginals : MESSAGES.previews] : []),
  ];
}

function listStartButtons(
  app: AppContext,
  batch: Batch,
  allRows: readonly BatchRow[],
  isSetChosen: boolean,
): Button[][] {
  const key = shortenUuid(batch.id);
  if (!isSetChosen) return listToolButtons(app, key);
  const { prices, affordableRows, status, startedAt, continuesAfterPurchase } = batch;
  const { rows, stars } = prices.ready;
  const pilot = allRows.filter(({ state }) => state === 'ready').slice(0, PILOT_ROWS);
  const pilotStars = pilot.reduce((sum, row) => sum + row.stars, 0);
  const label = startedAt ? BUTTONS.startMore(rows, stars) : BUTTONS.start(rows, stars);
  return [
    ...(status === 'open' ? listSetButtons(app, batch) : []),
    [InlineKeyboard.text(label, writeCallback('b-go', stars, key))],
    ...(rows > PILOT_ROWS && startedAt === null
      ? [[InlineKeyboard.text(BUTTONS.pilot(PILOT_ROWS, pilotStars), writeCallback('b-pilot', pilotStars, key))]]
      : []),
    ...(affordableRows < rows && status === 'open' ? listPurchaseButtons(key, continuesAfterPurchase) : []),
    ...(startedAt === null ? [[InlineKeyboard.text(BUTTONS.back, writeCallback('b-tools', key))]] : []),
  ];
}

function listToolButtons(app: AppContext, key: string): Button[][] {
  const { change, offered } = describeTools(app);
  return GENERATION_KINDS.filter((kind) => offered.includes(kind)).map((kind) => [
    InlineKeyboard.text(
      kind === 'model_change' ? TOOL_NAMES[change] : TOOL_NAMES[kind],
      writeCallback('b-tool', GENERATION_KINDS.indexOf(kind), key),
    ),
  ]);
}

/** The choices of a video as a button carries them: each by its index. */
export interface VideoLook {
  preset: MotionPreset;
  seconds: VideoSeconds;
  ratio: AspectRatio;
}

function writeLook({ preset, seconds, ratio }: VideoLook, key: string): string {
  return writeCallback(
    'b-video',
    MOTION_PRESETS.indexOf(preset),
    VIDEO_SECONDS.indexOf(seconds),
    ASPECT_RATIOS.indexOf(ratio),
    key,
  );
}

function listSetButtons(app: AppContext, { set, id }: Batch): Button[][] {
  const key = shortenUuid(id);
  switch (set.kind) {
    case 'video': {
      const { duration: seconds, aspectRatio: ratio, preset, prompt } = set.settings;
      const motion = resolveMotionPreset({ ...(preset ? { preset } : {}), ...(prompt ? { prompt } : {}) });
      return listVideoButtons(app, { preset: motion, seconds, ratio }, key);
    }
    case 'try_on':
      return cutRows(
        GARMENT_CATEGORIES.map((category, index) =>
          InlineKeyboard.text(
            mark(GARMENT_CATEGORY_NAMES[category], category === set.settings.category),
            writeCallback('b-garment', index, key),
          ),
        ),
        3,
      );
    case 'model_change':
      return [[InlineKeyboard.text(BUTTONS.otherLook, writeCallback('models', 0, nameBatchSubject(id)))]];
    case 'photosession':
      return [];
  }
}

function listVideoButtons(app: AppContext, look: VideoLook, key: string): Button[][] {
  const { videoSeconds, aspectRatios } = describeTools(app);
  const nextRatio = aspectRatios[(aspectRatios.indexOf(look.ratio) + 1) % aspectRatios.length] ?? look.ratio;
  const motions = MOTION_PRESETS.map((preset) =>
    InlineKeyboard.text(mark(MOTION_NAMES[preset], preset === look.preset), writeLook({ ...look, preset }, key)),
  );
  const shapes = [
    ...videoSeconds.map((seconds) =>
      InlineKeyboard.text(
        mark(BUTTONS.seconds(seconds), seconds === look.seconds),
        writeLook({ ...look, seconds }, key),
      ),
    ),
    ...(nextRatio === look.ratio
      ? []
      : [InlineKeyboard.text(BUTTONS.ratio(look.ratio), writeLook({ ...look, ratio: nextRatio }, key))]),
  ];
  return [...cutRows(motions, 3), ...(shapes.length > 0 ? [shapes] : [])];
}

function mark(label: string, isChosen: boolean): string {
  return isChosen ? `● ${label}` : label;
}

function cutRows(buttons: Button[], length: number): Button[][] {
  const rows: Button[][] = [];
  for (let at = 0; at < buttons.length; at += length) rows.push(buttons.slice(at, at + length));
  return rows;
}

function listRunButtons({ id, status, counts, prices, pause, continuesAfterPurchase }: Batch): Button[][] {
  const key = shortenUuid(id);
  const { rows, stars } = prices.waiting;
  return [
    ...(status === 'paused' && rows > 0
      ? [[InlineKeyboard.text(BUTTONS.resume(stars), writeCallback('b-resume', stars, key))]]
      : []),
    ...(pause?.code === 'not_enough_stars' ? listPurchaseButtons(key, continuesAfterPurchase) : []),
    ...(status === 'running' && counts.waiting > 0
      ? [[InlineKeyboard.text(BUTTONS.pause, writeCallback('b-pause', key))]]
      : []),
    ...(counts.waiting > 0 ? [[InlineKeyboard.text(BUTTONS.stop(counts.waiting), writeCallback('b-stop', key))]] : []),
  ];
}

export function listPurchaseButtons(key: string, continues: boolean): Button[][] {
  return [
    [InlineKeyboard.text(BUTTONS.continues(continues), writeCallback('b-after', continues ? 0 : 1, key))],
    [InlineKeyboard.text(BUTTONS.buyStars, 'b-buy')],
  ];
}

function listEndButtons({ id, counts, prices: { failed, stopped } }: Batch): Button[][] {
  const key = shortenUuid(id);
  return [
    ...(failed.rows > 0
      ? [
          [
            InlineKeyboard.text(
              BUTTONS.repeatFailed(failed.rows, failed.stars),
              writeCallback('b-repeat', 'failed', failed.stars, key),
            ),
          ],
        ]
      : []),
    ...(stopped.rows > 0
      ? [
          [
            InlineKeyboard.text(
              BUTTONS.repeatStopped(stopped.rows, stopped.stars),
              writeCallback('b-repeat', 'stopped', stopped.stars, key),
            ),
          ],
        ]
      : []),
    ...(counts.done > 0 ? [[InlineKeyboard.text(BUTTONS.sendAgain, writeCallback('b-send', key))]] : []),
  ];
}

function listCommonButtons(app: AppContext, { id, counts }: Batch): Button[][] {
  const key = shortenUuid(id);
  return [
    ...(counts.duplicate > 0
      ? [[InlineKeyboard.text(BUTTONS.keepDuplicates(counts.duplicate), writeCallback('b-keep', key))]]
      : []),
    [InlineKeyboard.text(BUTTONS.more, writeCallback('b-more', key))],
    ...(canBeButton(app) ? [[InlineKeyboard.url(BUTTONS.openOnSite, siteAddress(app, batchPath(id)))]] : []),
  ];
}

/** In the place of a photo in the buttons of a tool: the choice is for a batch. */
export function nameBatchSubject(batchId: string): string {
  return `b.${shortenUuid(batchId)}`;
}

/** The id of the batch that stands in the place of a photo. Null for a photo. */
export function readBatchSubject(subject: string): string | null {
  return subject.startsWith('b.') ? restoreUuid(subject.slice(2)) : null;
}

/** Changes the known message of a batch. Returns false when there is none, or it is gone. Throws ChatGoneError. */
export async function editBatch(app: AppContext, api: Api, row: ChatBatch, isReceiving = false): Promise<boolean> {
  if (row.messageId === null) return false;
  const asking = { isSetChosen: row.isSetChosen, isReceiving };
  const [text, keyboard] = await writeBatch(app, row.batch.accountId, row.batchId, asking);
  const isShown = await editMessage(app, api, placeOf(row, row.messageId), text, keyboard);
  // Another message may have taken its place, and Telegram may have taken that before this.
  const latest = await findChatBatch(app, row.batchId, row.chatId);
  if (latest && latest.messageId !== row.messageId) await pointBelow(app, api, row, row.messageId);
  return isShown;
}

/**
 * Sends a new message of a batch, once for a cause, and makes the former one point to it. Returns false when it was sent
 * before, or may have been. Throws what sendOnce throws.
 */
export async function sendBatch(
  app: AppContext,
  api: Api,
  { batchId, chatId }: Pick<ChatBatch, 'batchId' | 'chatId'>,
  { causeKey, isReceiving = false }: { causeKey: string; isReceiving?: boolean },
): Promise<boolean> {
  const row = await findChatBatch(app, batchId, chatId);
  if (!row) return false;
  const asking = { isSetChosen: row.isSetChosen, isReceiving };
  const [text, keyboard] = await writeBatch(app, row.batch.accountId, batchId, asking);
  const sent = await sendOnce(app, { causeKey, chatId }, () =>
    api.sendMessage(Number(chatId), text, { link_preview_options: { is_disabled: true }, reply_markup: keyboard }),
  );
  const messageId = sent?.message_id ?? (await findSentMessage(app, causeKey));
  if (messageId !== null) await moveBatchTo(app, api, row, messageId);
  return sent !== null;
}

/** From now on this message shows the batch. The one that did points to it. */
export async function moveBatchTo(app: AppContext, api: Api, row: ChatBatch, messageId: number): Promise<void> {
  if (row.messageId === messageId) return;
  await changeChatBatch(app, row, { messageId });
  if (row.messageId !== null) await pointBelow(app, api, row, row.messageId);
}

async function pointBelow(app: AppContext, api: Api, row: ChatBatch, messageId: number): Promise<void> {
  await editMessage(app, api, placeOf(row, messageId), MESSAGES.batchMoved);
}

function placeOf({ chatId, batch }: ChatBatch, messageId: number): MessagePlace {
  const kind: GenerationKind = batch.kind;
  return { chatId: Number(chatId), messageId, isPictured: kind === 'model_change' };
}
