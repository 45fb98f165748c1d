import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { SHARE_QUERY, SHARE_TARGET_PATH } from '#shared/rules/share-target.ts';

/** Must never change: browsers look for newer versions at this address. */
export const WORKER_FILE = 'sw.js';
/** The operator's switch. While a file with this name is in the data folder, browsers are told to remove the worker. */
const SWITCH_FILE = 'withdraw-worker';
const WITHDRAWN_WORKER = path.join(import.meta.dirname, 'withdrawn-worker.js');

/** Serves the service worker, or the one that removes it, and answers the share target where no worker runs yet. */
export function addServiceWorker(server: FastifyInstance, app: AppContext, folder: string): void {
  const switchFile = path.join(app.config.dataDir, SWITCH_FILE);
  const { tagManagerId } = app.config;
  server.get(`/${WORKER_FILE}`, { schema: { hide: true } }, async (_request, reply) => {
    const isWithdrawn = existsSync(switchFile);
    if (!isWithdrawn && !tagManagerId) return reply.sendFile(WORKER_FILE);
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8');
    if (isWithdrawn) return reply.send(await readFile(WITHDRAWN_WORKER));
    // The document names the tag manager. With a different id the worker's cached document is outdated.
    const worker = await readFile(path.join(folder, WORKER_FILE), 'utf8');
    return reply.send(`self.documentVariant = '${tagManagerId}';\n${worker}`);
  });
  // Answers when a photo is shared before the worker runs or after it was lost: the person is asked to share it again.
  // The browser itself sends this form, not a page of ours.
  server.post(SHARE_TARGET_PATH, { schema: { hide: true }, config: { originCheck: 'never' } }, (_request, reply) =>
    reply.redirect(`${PATHS.app}?share=${SHARE_QUERY.retry}`, 303),
  );
}
