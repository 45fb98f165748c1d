import type { FastifyInstance } from 'fastify';
import { ownSession } from '#api/plugins/session-cookie.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { listPushDevices, removePushDevice, subscribeToPush } from '#api/services/notices/push-subscriptions.ts';
import { countUnseen, listNewResults, markSeen } from '#api/services/notices/seen.ts';
import * as contract from '#shared/contract/notifications.ts';
import * as devices from '#shared/contract/push-devices.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** Push subscriptions and which results have been seen. */
export function addNotificationRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, devices.getPushKey, async () => ({ publicKey: app.push.publicKey }));
  bindEndpoint(
    server,
    devices.subscribeToPush,
    ({ account, body, request }) => subscribeToPush(app, { ...ownSession(app, account, request), subscription: body }),
    { limit: REQUEST_LIMITS.pushSubscription },
  );
  bindEndpoint(server, devices.listPushDevices, async ({ account, request }) => ({
    devices: await listPushDevices(app, ownSession(app, account, request)),
  }));
  bindEndpoint(server, devices.removePushDevice, ({ account, params: { id } }) =>
    removePushDevice(app, { accountId: account.id, id }),
  );
  bindEndpoint(server, contract.markSeen, async ({ account, body }) => {
    await markSeen(app, account.id, body.generationIds);
    return { unseen: await countUnseen(app, account.id) };
  });
  bindEndpoint(server, contract.getUnseen, async ({ account }) => ({
    unseen: await countUnseen(app, account.id),
    results: await listNewResults(app, account.id),
  }));
}
