import { type Api, Composer } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import type { AppContext } from '#api/services/app-context.ts';
import { BOT_COMMAND } from '#shared/rules/outside-text.ts';
import { type BotContext, UpdateContext } from './bot-context.ts';
import { albumsFeature } from './features/albums.ts';
import { balanceFeature } from './features/balance.ts';
import { batchesFeature } from './features/batches.ts';
import { consentsFeature } from './features/consents.ts';
import { deletionFeature } from './features/deletion.ts';
import { galleryFeature } from './features/gallery.ts';
import { helpFeature } from './features/help.ts';
import { keptPhotosFeature } from './features/kept-photos.ts';
import { linkingFeature } from './features/linking.ts';
import { modelChangesFeature } from './features/model-changes.ts';
import { paymentsFeature } from './features/payments.ts';
import { photosFeature } from './features/photos.ts';
import { photosessionsFeature } from './features/photosessions.ts';
import { refusalsFeature } from './features/refusals.ts';
import { reportsFeature } from './features/reports.ts';
import { resultsFeature } from './features/results.ts';
import { settingsFeature } from './features/settings.ts';
import { tryOnFeature } from './features/try-on.ts';
import { videosFeature } from './features/videos.ts';
import { MESSAGES } from './messages.ts';
import {
  answerButtons,
  findAccount,
  limitRate,
  loadTelegramUser,
  privateChatsOnly,
  termsGate,
  translateErrors,
} from './middleware.ts';
import type { UpdateHandler } from './update-dispatcher.ts';

export function createUpdateHandler(app: AppContext, api: Api, me: UserFromGetMe): UpdateHandler {
  const bot = new Composer<BotContext>();
  bot.use(privateChatsOnly, answerButtons, loadTelegramUser);
  // A payment is handled before anything can refuse the update.
  bot.use(paymentsFeature);
  // Help and deletion work without accepted terms.
  bot.use(limitRate, translateErrors, helpFeature, deletionFeature);
  bot.use(termsGate, linkingFeature, findAccount);
  bot.use(
    albumsFeature,
    batchesFeature,
    photosFeature,
    videosFeature,
    photosessionsFeature,
    modelChangesFeature,
    tryOnFeature,
    resultsFeature,
    reportsFeature,
  );
  bot.use(galleryFeature, keptPhotosFeature, balanceFeature, settingsFeature, consentsFeature, refusalsFeature);
  const work = bot.middleware();
  return {
    async handle(update, aside) {
      await work(new UpdateContext(app, lowerCommand(update), api, me, aside), async () => {});
    },
    async apologise(update) {
      await new UpdateContext(app, { ...update, update_id: -update.update_id }, api, me).say(MESSAGES.failure);
    },
  };
}

/** Some people type «/BALANCE». The text after the command is unchanged. */
function lowerCommand(update: Update): Update {
  const { message } = update;
  const command = BOT_COMMAND.exec(message?.text ?? '')?.[0];
  if (!message?.text || !command) return update;
  return { ...update, message: { ...message, text: command.toLowerCase() + message.text.slice(command.length) } };
}
