import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getCatalogue } from '#shared/contract/catalogue.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** The names have no hash, so browsers notice a replaced picture after at most a day. */
const PICTURE_CACHE = 'public, max-age=86400, stale-while-revalidate=2592000';
const CATALOGUE_CACHE = 'public, max-age=300';

/** All models and backgrounds, and their pictures. */
export function addCatalogueRoutes(server: FastifyInstance, app: AppContext): void {
  const { models, backgrounds, files } = app.catalogue;
  bindEndpoint(server, getCatalogue, async ({ reply }) => {
    reply.header('cache-control', CATALOGUE_CACHE);
    return { models: [...models], backgrounds: [...backgrounds] };
  });
  for (const url of ['/attached_assets/*', '/backgrounds/*']) {
    server.get(url, { schema: { hide: true } }, (request, reply) => {
      const file = files.get(request.url.split('?')[0] ?? '');
      if (!file) throw new AppError('route_not_found');
      reply.headers({ etag: file.etag, 'cache-control': PICTURE_CACHE });
      if (request.headers['if-none-match']?.includes(file.etag)) return reply.code(304).send();
      return reply.type(file.contentType).send(file.content);
    });
  }
}
