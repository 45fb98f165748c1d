import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { assertMayDownload, nameResult } from '#api/services/gallery/downloads.ts';
import { assertNotKnownLost } from '#api/services/generations/lost-results.ts';
import {
  analyzeVideo,
  getOwnVideo,
  getVideoState,
  listActiveGenerations,
  listVideos,
  startVideo,
  type VideoWithFile,
  withVideoFiles,
} from '#api/services/generations/videos.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import {
  analyzeVideo as analyzeVideoEndpoint,
  getVideoDownloadAccess,
  getVideoStatus,
  listActiveGenerations as listActiveGenerationsEndpoint,
  listVideos as listVideosEndpoint,
  retrieveVideo,
  startVideo as startVideoEndpoint,
  streamVideo,
  streamWholeVideo,
} from '#shared/contract/videos.ts';
import { readAgreedPrice } from './agreed-price.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { START_REQUESTS } from './start-requests.ts';
import { sendStoredFile } from './stream-file.ts';

const ANALYSES_PER_MINUTE = 10;

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
  bindEndpoint(server, getVideoStatus, ({ account, query }) => getVideoState(app, account.id, query.generationId));
  bindEndpoint(server, retrieveVideo, ({ account, query }) => getVideoState(app, account.id, query.generationId));
  bindEndpoint(server, listActiveGenerationsEndpoint, async ({ account }) => ({
    activeGenerations: await listActiveGenerations(app, account.id),
  }));
  bindEndpoint(server, listVideosEndpoint, ({ account, query }) => listVideos(app, account.id, query));
  bindEndpoint(server, analyzeVideoEndpoint, ({ account, params }) => analyzeVideo(app, account.id, params.id), {
    limit: { max: ANALYSES_PER_MINUTE, timeWindow: '1 minute' },
  });
  addVideoFileRoutes(server, app);
}

function addVideoFileRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getVideoDownloadAccess, async ({ account, params }) => {
    const video = await getOwnVideo(app, account.id, params.id);
    // Nobody is sent to a download, or to a payment for it, that the file's own address then refuses.
    await assertNotKnownLost(app, video.results[0]);
    const { isPremium, transactionCount } = await getPremiumStatus(app, account.id);
    return {
      canDownload: isPremium,
      downloadUrl: isPremium ? `/api/video-proxy/${video.id}?download=1` : null,
      upgradeMessage: isPremium ? null : ERRORS.premium_required.message,
      premiumStatus: { hasSuccessfulTransactions: isPremium, transactionCount },
    };
  });
  bindEndpoint(server, streamVideo, async ({ account, params, query, request, reply }) => {
    const video = await getOwnVideo(app, account.id, params.id);
    if (query.download) await assertMayDownload(app, account.id);
    const downloadName = query.download ? nameResult(video.results[0]) : undefined;
    return sendVideo(app, request, reply, {
      video,
      downloadName,
      mayLeave: query.download !== undefined,
      allowRanges: true,
    });
  });
  bindEndpoint(server, streamWholeVideo, async ({ account, params, request, reply }) => {
    const video = await getOwnVideo(app, account.id, params.id);
    return sendVideo(app, request, reply, { video, allowRanges: false });
  });
}

function sendVideo(
  app: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    video,
    mayLeave = false,
    ...file
  }: { video: VideoWithFile; downloadName?: string | undefined; mayLeave?: boolean; allowRanges: boolean },
): Promise<FastifyReply> {
  return withVideoFiles(app, video, (key, { originalKey, bytes }) =>
    sendStoredFile(app, {
      request,
      reply,
      key,
      expectedBytes: key === originalKey ? bytes : undefined,
      mayLeave: mayLeave && key === originalKey,
      ...file,
      contentType: 'video/mp4',
      // Revalidated on every request, because the same address serves another file after a payment.
      cacheControl: 'private, no-cache',
    }),
  );
}
