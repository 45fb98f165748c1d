import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { VideoFacts } from '#api/adapters/video-encoder/video-encoder.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { withTemporaryFolder } from '#api/services/ground/temporary-folder.ts';
import { getOwnVideo, selectPlaybackKey } from './videos.ts';

const ANALYSIS_TIMEOUT_MS = 30_000;

/** What the file that this owner is served really is. Throws video_not_found, video_forbidden. */
export async function analyzeVideo(app: AppContext, accountId: number, videoId: string): Promise<VideoFacts> {
  const video = await getOwnVideo(app, accountId, videoId);
  const key = await selectPlaybackKey(app, video);
  return withTemporaryFolder(app, async (folder) => {
    const file = path.join(folder, 'video.mp4');
    await pipeline(await app.storage.open(key), createWriteStream(file));
    return app.videoEncoder.probe(file, AbortSignal.timeout(ANALYSIS_TIMEOUT_MS));
  });
}
