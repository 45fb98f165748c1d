import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { createPack, deletePack, findPackFile, listPacks, previewPack } from '#api/services/packs/packs.ts';
import * as contract from '#shared/contract/packs.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { sendStoredFile } from './stream-file.ts';

/** Packs: ZIPs with what a marketplace takes. */
export function addPackRoutes(server: FastifyInstance, app: AppContext): void {
  const limit = { limit: REQUEST_LIMITS.packs };
  bindEndpoint(server, contract.previewPack, ({ account, body }) => previewPack(app, account.id, body), limit);
  bindEndpoint(server, contract.createPack, ({ account, body }) => createPack(app, account.id, body), limit);
  bindEndpoint(server, contract.listPacks, ({ account }) => listPacks(app, account.id));
  bindEndpoint(server, contract.deletePack, ({ account, params }) => deletePack(app, account.id, params.id));
  bindEndpoint(server, contract.downloadPack, async ({ account, params, request, reply }) => {
    const { key, bytes, fileName } = await findPackFile(app, account.id, params.id);
    return sendStoredFile(app, {
      request,
      reply,
      file: { key, bytes },
      contentType: 'application/zip',
      cacheControl: 'private, no-store',
      downloadName: fileName,
      allowRanges: true,
      mayLeave: true,
    });
  });
}
