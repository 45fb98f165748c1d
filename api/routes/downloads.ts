import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { archivePhotosession } from '#api/services/gallery/archives.ts';
import { findImageDownload } from '#api/services/gallery/downloads.ts';
import { type ExportedFile, withExportedFile } from '#api/services/gallery/exports.ts';
import { withResultFiles } from '#api/services/generations/results/lost-results.ts';
import { downloadImage, exportResult } from '#shared/contract/downloads.ts';
import { downloadPhotosession } from '#shared/contract/photosessions.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { sendArchive } from './send-archive.ts';
import { describeAttachment, sendStoredFile } from './stream-file.ts';

/** Downloads: originals, archives and exports for marketplaces. */
export function addDownloadRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, downloadImage, async ({ account, body, request, reply }) => {
    const download = await findImageDownload(app, account.id, body);
    const { contentType, name } = download;
    if ('result' in download) {
      return withResultFiles(app, download.result, ({ originalKey: key, bytes }) =>
        sendStoredFile(app, {
          request,
          reply,
          file: { key, bytes },
          contentType,
          cacheControl: 'private, no-store',
          allowRanges: false,
          downloadName: name,
        }),
      );
    }
    reply.headers({ 'content-disposition': describeAttachment(name), 'cache-control': 'private, no-store' });
    return reply.type(contentType).send(download.content);
  });
  bindEndpoint(
    server,
    downloadPhotosession,
    async ({ account, params, request, reply }) =>
      sendArchive(app, { request, reply, archive: await archivePhotosession(app, account.id, params.id) }),
    { limit: REQUEST_LIMITS.archive },
  );
  bindEndpoint(
    server,
    exportResult,
    async ({ account, params, query, request, reply }) => {
      const signal = watchForHangUp(reply);
      const job = { accountId: account.id, id: params.id, fix: query.fix, signal };
      await withExportedFile(app, job, (file) => sendExport(reply, file)).catch((error: unknown) => {
        if (error !== signal.reason) throw error;
        request.log.info({ resultId: params.id }, 'an export was given up: its caller went away');
        // The caller has hung up, so there is nobody to answer.
        reply.hijack();
      });
      return reply;
    },
    { limit: REQUEST_LIMITS.resultExport },
  );
}

/** Aborts when the caller hangs up before the answer is complete. */
function watchForHangUp(reply: FastifyReply): AbortSignal {
  const hangUp = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) hangUp.abort(new Error('the caller went away'));
  });
  return hangUp.signal;
}

/** Resolves when the file has been read to its end or the caller has hung up. The file may be removed then. */
async function sendExport(reply: FastifyReply, file: ExportedFile): Promise<void> {
  const content = createReadStream(file.path);
  reply.headers({
    'content-type': file.contentType,
    'content-length': file.bytes,
    'content-disposition': describeAttachment(file.name),
    'cache-control': 'private, no-store',
    'accept-ranges': 'none',
  });
  reply.send(content);
  await finished(content).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
