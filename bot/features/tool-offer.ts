import { InlineKeyboard } from 'grammy';
import { describeTools } from '#api/services/core/tool-abilities.ts';
import { describeOffer } from '#api/services/generations/engine-health/engine-outages.ts';
import { findPhotoBefore } from '#api/services/photos/photos.ts';
import type { BotContext } from '#bot/bot-context.ts';
import { shortenUuid, writeCallback } from '#bot/keyboards/callback-data.ts';
import { MESSAGES, TOOL_NAMES } from '#bot/messages.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { ABROAD_NOTE, groupObstacles } from '#shared/rules/tool-offer.ts';

/** Photos farther apart are hardly a pair for a try-on. */
const PAIR_MS = 24 * 3_600_000;

type MenuPhoto = Parameters<typeof findPhotoBefore>[1] & { id: string; width: number; height: number };

/** The screen with the offered tools for a photo. Names those that cannot be started now. */
export async function writeToolMenu(
  { app, accountId }: Pick<BotContext, 'app' | 'accountId'>,
  photo: MenuPhoto,
  advice: readonly string[] = [],
): Promise<[string, InlineKeyboard]> {
  const { change, offered } = describeTools(app);
  const { tools } = await describeOffer(app, accountId);
  const obstacles = groupObstacles(tools, change).map(MESSAGES.obstacle);
  const key = shortenUuid(photo.id);
  const buttons: Record<GenerationKind, [label: string, data: string]> = {
    video: [TOOL_NAMES.video, writeCallback('video', key)],
    photosession: [TOOL_NAMES.photosession, writeCallback('session', key)],
    model_change: [TOOL_NAMES[change], writeCallback('models', 0, key)],
    try_on: [TOOL_NAMES.try_on, offered.includes('try_on') ? await writeTryOnCallback(app, photo) : ''],
  };
  return [
    [MESSAGES.photoAccepted(photo), ...advice, ...obstacles].join('\n\n'),
    InlineKeyboard.from(
      GENERATION_KINDS.filter((kind) => offered.includes(kind)).map((kind) => [InlineKeyboard.text(...buttons[kind])]),
    ),
  ];
}

/** This photo shows the person and the one before it the garment. Without that one, the button explains the tool. */
async function writeTryOnCallback(app: BotContext['app'], shown: MenuPhoto): Promise<string> {
  const earliest = new Date(shown.createdAt.getTime() - PAIR_MS);
  const garment = await findPhotoBefore(app.db, shown, earliest);
  const photo = shortenUuid(shown.id);
  return garment ? writeCallback('try', 0, shortenUuid(garment.id), photo) : writeCallback('try-how', photo);
}

/** What a person should know before the start of a tool: why it cannot be started now, and where the photo goes. */
export async function describeStart(
  { app, accountId }: Pick<BotContext, 'app' | 'accountId'>,
  kind: GenerationKind,
): Promise<string[]> {
  const { tools } = await describeOffer(app, accountId);
  const tool = tools.find((one) => one.kind === kind);
  return [
    ...(tool?.obstacle ? [`⚠️ ${tool.obstacle.message}.`] : []),
    ...(tool?.photosTravel === 'abroad' ? [ABROAD_NOTE] : []),
  ];
}
