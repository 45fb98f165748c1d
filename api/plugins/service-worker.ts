import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { SHARE_QUERY, SHARE_TARGET_PATH } from '#shared/rules/share-target.ts';

/** The worker's address for all time: browsers ask for its successors there. */
export const WORKER_FILE = 'sw.js';
/** The operator's switch: while a file of this name lies in the data folder, browsers are told to drop the worker. */
const SWITCH_FILE = 'withdraw-worker';
const WITHDRAWN_WORKER = path.join(import.meta.dirname, 'withdrawn-worker.js');

/** The worker of the interface, or the one that removes it; and what the worker answers where there is one. */
export function addServiceWorker(server: FastifyInstance, app: AppContext, folder: string): void {
  const switchFile = path.join(app.config.dataDir, SWITCH_FILE);
  const { tagManagerId } = app.config;
  server.get(`/${WORKER_FILE}`, { schema: { hide: true } }, async (_request, reply) => {
    const isWithdrawn = existsSync(switchFile);
    if (!isWithdrawn && !tagManagerId) return reply.sendFile(WORKER_FILE);
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8');
    if (isWithdrawn) return reply.send(await readFile(WITHDRAWN_WORKER));
    // The document names the tag manager: with another one, the worker's copy of it is out of date.
    const worker = await readFile(path.join(folder, WORKER_FILE), 'utf8');
    return reply.send(`self.documentVariant = '${tagManagerId}';\n${worker}`);
  });
  // A phone shares a photo before the worker runs, or after it was lost: the person is asked to share it once more.
  // The browser itself sends the form, from no page of ours.
  server.post(SHARE_TARGET_PATH, { schema: { hide: true }, config: { originCheck: 'never' } }, (_request, reply) =>
    reply.redirect(`${PATHS.app}?share=${SHARE_QUERY.retry}`, 303),
  );
}
