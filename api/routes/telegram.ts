import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import { getTelegramUserOfToken } from '#api/services/account-lifecycle/link-telegram.ts';
import { partByLink } from '#api/services/account-lifecycle/parting-link.ts';
import {
  createTelegramAddress,
  getTelegramState,
  linkFromSite,
  unlinkFromSite,
} from '#api/services/account-lifecycle/telegram-state.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { receiveTelegramUpdates } from '#api/services/chat/updates.ts';
import { setTellsResults } from '#api/services/chat/users.ts';
import { isFromTelegram, telegramWebhookPath } from '#api/services/chat/webhook.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import * as contract from '#shared/contract/telegram.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** A message including everything it quotes. */
const UPDATE_MAX_BYTES = 1024 * 1024;

/** Linking on the site, and the webhook for Telegram. */
export function addTelegramRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, contract.getTelegram, ({ account }) => getTelegramState(app, account.id));
  bindEndpoint(
    server,
    contract.createTelegramLink,
    ({ account, body }) => createTelegramAddress(app, { accountId: account.id, ...body }),
    { limit: REQUEST_LIMITS.telegramLink },
  );
  bindEndpoint(
    server,
    contract.previewTelegramLink,
    async ({ body }) => {
      const { username, firstName } = await getTelegramUserOfToken(app, body.token);
      return { username, firstName };
    },
    { limit: REQUEST_LIMITS.telegramLink },
  );
  bindEndpoint(
    server,
    contract.linkTelegram,
    ({ account, body }) => linkFromSite(app, { accountId: account.id, ...body }),
    { limit: REQUEST_LIMITS.telegramLink },
  );
  bindEndpoint(server, contract.partChatByLink, ({ body }) => partByLink(app, body.token), {
    limit: REQUEST_LIMITS.telegramPartByLink,
  });
  bindEndpoint(server, contract.changeTelegram, async ({ account, body }) => {
    await setTellsResults(app, account.id, body.tellsResults);
    return getTelegramState(app, account.id);
  });
  bindEndpoint(server, contract.unlinkTelegram, ({ account }) => unlinkFromSite(app, account.id));
  if (app.telegram && app.config.telegram.updates === 'webhook') addWebhook(server, app);
}

function addWebhook(server: FastifyInstance, app: AppContext): void {
  server.post(
    telegramWebhookPath(app.config),
    {
      bodyLimit: UPDATE_MAX_BYTES,
      config: { originCheck: 'never', takesNul: true },
      schema: { hide: true },
      onRequest: async (request) => {
        if (!isFromTelegram(app.config, request.headers['x-telegram-bot-api-secret-token'])) {
          throw new AppError('unauthorized');
        }
      },
    },
    async (request, reply) => {
      await receiveTelegramUpdates(app, [request.body]);
      return reply.code(200).send();
    },
  );
}
