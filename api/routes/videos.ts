import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { assertMayDownload } from '#api/services/gallery/downloads.ts';
import type { Result } from '#api/services/generations/results/find-generation.ts';
import { assertNotKnownLost } from '#api/services/generations/results/lost-results.ts';
import { recordedBytes } from '#api/services/generations/results/result-files.ts';
import { findName } from '#api/services/generations/results/result-names.ts';
import {
  analyzeVideo,
  getOwnVideo,
  listVideos,
  prepareVideo,
  withVideoFiles,
} from '#api/services/generations/results/videos.ts';
import { startGeneration } from '#api/services/generations/starting/start-generation.ts';
import { listActiveGenerations } from '#api/services/generations/tools/active-generations.ts';
import { presentVideoState } from '#api/services/generations/tools/video-tool.ts';
import { getViewOfKind } from '#api/services/generations/tools/view.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import {
  analyzeVideo as analyzeVideoEndpoint,
  getVideoDownloadAccess,
  getVideoStatus,
  listActiveGenerations as listActiveGenerationsEndpoint,
  listVideos as listVideosEndpoint,
  prepareVideo as prepareVideoEndpoint,
  retrieveVideo,
  startVideo,
  streamVideo,
  streamWholeVideo,
} from '#shared/contract/videos.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { readStart } from './request-headers.ts';
import { sendStoredFile } from './stream-file.ts';

/** Videos: start, follow, list, watch, download. */
export function addVideoRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(
    server,
    startVideo,
    async ({ account, body, request }) => {
      const { generationId } = await startGeneration(app, {
        account,
        kind: 'video',
        photos: { subject: { imageId: body.imageId } },
        choice: body.settings,
        ...readStart(request),
      });
      return { generationId, videoId: generationId };
    },
    { limit: REQUEST_LIMITS.start },
  );
  for (const endpoint of [getVideoStatus, retrieveVideo]) {
    bindEndpoint(server, endpoint, async ({ account, query }) =>
      presentVideoState(await getViewOfKind(app, account, query.generationId, 'video')),
    );
  }
  bindEndpoint(server, listActiveGenerationsEndpoint, async ({ account }) => ({
    activeGenerations: await listActiveGenerations(app, account.id),
  }));
  bindEndpoint(server, listVideosEndpoint, ({ account, query }) => listVideos(app, account, query));
  bindEndpoint(
    server,
    analyzeVideoEndpoint,
    async ({ account, params }) =>
      analyzeVideo(app, await getOwnVideo(app.db, account.id, params.id), account.premium.isPremium),
    { limit: REQUEST_LIMITS.videoAnalysis },
  );
  bindEndpoint(
    server,
    prepareVideoEndpoint,
    async ({ account, params }) =>
      prepareVideo(app, await getOwnVideo(app.db, account.id, params.id), account.premium.isPremium),
    { limit: REQUEST_LIMITS.videoPreparation },
  );
  addVideoFileRoutes(server, app);
}

function addVideoFileRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getVideoDownloadAccess, async ({ account, params }) => {
    const video = await getOwnVideo(app.db, account.id, params.id);
    // Nobody is sent to a download, or to a payment for it, that the file's own address then refuses.
    await assertNotKnownLost(app, video);
    const { isPremium, transactionCount } = account.premium;
    return {
      canDownload: isPremium,
      downloadUrl: isPremium ? `/api/video-proxy/${video.generationId}?download=1` : null,
      upgradeMessage: isPremium ? null : ERRORS.premium_required.message,
      premiumStatus: { hasSuccessfulTransactions: isPremium, transactionCount },
    };
  });
  bindEndpoint(server, streamVideo, async ({ account, params, query, request, reply }) => {
    const video = await getOwnVideo(app.db, account.id, params.id);
    if (query.download) assertMayDownload(account.premium);
    const downloadName = query.download ? (await findName(app.db, video)).fileName : undefined;
    return sendVideo(app, request, reply, {
      video,
      isPremium: account.premium.isPremium,
      downloadName,
      mayLeave: query.download !== undefined,
      allowRanges: true,
    });
  });
  bindEndpoint(server, streamWholeVideo, async ({ account, params, request, reply }) =>
    sendVideo(app, request, reply, {
      video: await getOwnVideo(app.db, account.id, params.id),
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
    video: Result;
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
