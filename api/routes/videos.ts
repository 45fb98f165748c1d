import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { assertMayDownload, nameResult } from '#api/services/gallery/downloads.ts';
import { assertNotKnownLost } from '#api/services/generations/lost-results.ts';
import { recordedBytes } from '#api/services/generations/result-files.ts';
import {
  analyzeVideo,
  listActiveGenerations,
  prepareVideo,
  presentVideoState,
  presentVideos,
  requireVideo,
  selectVideo,
  selectVideos,
  startVideo,
  type VideoWithFile,
  withVideoFiles,
} from '#api/services/generations/videos.ts';
import { selectView } from '#api/services/generations/view.ts';
import { REQUEST_LIMITS } from '#api/services/ground/limit-table.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import {
  analyzeVideo as analyzeVideoEndpoint,
  getVideoDownloadAccess,
  getVideoStatus,
  listActiveGenerations as listActiveGenerationsEndpoint,
  listVideos as listVideosEndpoint,
  prepareVideo as prepareVideoEndpoint,
  retrieveVideo,
  startVideo as startVideoEndpoint,
  streamVideo,
  streamWholeVideo,
} from '#shared/contract/videos.ts';
import { readAgreedPrice } from './agreed-price.ts';
import { bindEndpoint, bindReadingEndpoint } from './bind-endpoint.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { START_REQUESTS } from './start-requests.ts';
import { sendStoredFile } from './stream-file.ts';

/** Videos: start, follow, list, watch, download. */
export function addVideoRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    startVideoEndpoint,
    async ({ account, body, request }) => {
      const { generationId } = await startVideo(app, {
        accountId: account.id,
        photoId: body.imageId,
        settings: body.settings,
        agreedPrice: readAgreedPrice(request, 'stars'),
        idempotencyKey: readIdempotencyKey(request),
      });
      return { generationId, videoId: generationId };
    },
    { limit: START_REQUESTS },
  );
  for (const endpoint of [getVideoStatus, retrieveVideo]) {
    bindReadingEndpoint(
      server,
      endpoint,
      ({ query }) => selectView(query.generationId),
      ({ account, found }) => presentVideoState(app, account, found),
    );
  }
  bindEndpoint(server, listActiveGenerationsEndpoint, async ({ account }) => ({
    activeGenerations: await listActiveGenerations(app, account.id),
  }));
  bindReadingEndpoint(
    server,
    listVideosEndpoint,
    ({ query }) => selectVideos(query),
    ({ account, query, found }) => presentVideos(app, account, query, found),
  );
  bindReadingEndpoint(
    server,
    analyzeVideoEndpoint,
    ({ params }) => selectVideo(params.id),
    async ({ account, found }) => analyzeVideo(app, requireVideo(account.id, found), account.premium.isPremium),
    { limit: REQUEST_LIMITS.videoAnalysis },
  );
  bindReadingEndpoint(
    server,
    prepareVideoEndpoint,
    ({ params }) => selectVideo(params.id),
    async ({ account, found }) => prepareVideo(app, requireVideo(account.id, found), account.premium.isPremium),
    { limit: REQUEST_LIMITS.videoPreparation },
  );
  addVideoFileRoutes(server, app);
}

function addVideoFileRoutes(server: FastifyInstance, app: AppContext): void {
  bindReadingEndpoint(
    server,
    getVideoDownloadAccess,
    ({ params }) => selectVideo(params.id),
    async ({ account, found }) => {
      const video = requireVideo(account.id, found);
      // Nobody is sent to a download, or to a payment for it, that the file's own address then refuses.
      await assertNotKnownLost(app, video.results[0]);
      const { isPremium, transactionCount } = account.premium;
      return {
        canDownload: isPremium,
        downloadUrl: isPremium ? `/api/video-proxy/${video.id}?download=1` : null,
        upgradeMessage: isPremium ? null : ERRORS.premium_required.message,
        premiumStatus: { hasSuccessfulTransactions: isPremium, transactionCount },
      };
    },
  );
  bindReadingEndpoint(
    server,
    streamVideo,
    ({ params }) => selectVideo(params.id),
    async ({ account, found, query, request, reply }) => {
      const video = requireVideo(account.id, found);
      if (query.download) assertMayDownload(account.premium);
      const downloadName = query.download ? nameResult(video.results[0]) : undefined;
      return sendVideo(app, request, reply, {
        video,
        isPremium: account.premium.isPremium,
        downloadName,
        mayLeave: query.download !== undefined,
        allowRanges: true,
      });
    },
  );
  bindReadingEndpoint(
    server,
    streamWholeVideo,
    ({ params }) => selectVideo(params.id),
    async ({ account, found, request, reply }) =>
      sendVideo(app, request, reply, {
        video: requireVideo(account.id, found),
        isPremium: account.premium.isPremium,
        allowRanges: false,
      }),
  );
}

function sendVideo(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    video,
    isPremium,
    mayLeave = false,
    ...rest
  }: {
    video: VideoWithFile;
    isPremium: boolean;
    downloadName?: string | undefined;
    mayLeave?: boolean;
    allowRanges: boolean;
  },
): Promise<FastifyReply> {
  return withVideoFiles(app, video, isPremium, (key, result) =>
    sendStoredFile(app, {
      request,
      reply,
      file: { key, bytes: recordedBytes(result, key) },
      mayLeave: mayLeave && key === result.originalKey,
      ...rest,
      contentType: 'video/mp4',
      // Revalidated on every request, because the same address serves another file after a payment.
      cacheControl: 'private, no-cache',
    }),
  );
}
