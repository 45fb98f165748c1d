import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { archiveItems } from '#api/services/gallery/archives.ts';
import { deleteItem, listDeletedItems, removeItem, restoreItem } from '#api/services/gallery/deleted-items.ts';
import { listAllResults, listGallery, pickItem } from '#api/services/gallery/gallery.ts';
import { renameResults } from '#api/services/gallery/rename-results.ts';
import { presentWithProduct } from '#api/services/photos/photos.ts';
import {
  deleteGalleryItem,
  downloadArchive,
  listDeletedItems as listDeletedEndpoint,
  listGallery as listGalleryEndpoint,
  listResults,
  pickFromGallery,
  removeDeletedItem,
  renameResults as renameResultsEndpoint,
  restoreGalleryItem,
} from '#shared/contract/gallery.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { sendArchive } from './send-archive.ts';

/** The results: list, name, delete, restore, remove for good, use again, download as a ZIP. */
export function addGalleryRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, listGalleryEndpoint, ({ account, query }) => listGallery(app, account, query));
  bindEndpoint(server, listResults, ({ account, query }) => listAllResults(app, account, query), {
    searchLimit: REQUEST_LIMITS.search,
  });
  bindEndpoint(server, renameResultsEndpoint, ({ account, body }) => renameResults(app, account.id, body), {
    limit: REQUEST_LIMITS.products,
  });
  bindEndpoint(server, deleteGalleryItem, ({ account, params }) => deleteItem(app, account.id, params.id));
  bindEndpoint(server, restoreGalleryItem, ({ account, params }) => restoreItem(app, account.id, params.id));
  bindEndpoint(server, listDeletedEndpoint, ({ account, query }) => listDeletedItems(app, account.id, query));
  bindEndpoint(server, removeDeletedItem, ({ account, params }) => removeItem(app, account.id, params.id));
  bindEndpoint(
    server,
    pickFromGallery,
    async ({ account, params }) => presentWithProduct(app, await pickItem(app, account.id, params.id)),
    { limit: REQUEST_LIMITS.pick },
  );
  bindEndpoint(
    server,
    downloadArchive,
    async ({ account, query, request, reply }) =>
      sendArchive(app, { request, reply, archive: await archiveItems(app, account.id, query.ids) }),
    { limit: REQUEST_LIMITS.archive },
  );
}
