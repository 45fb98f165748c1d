import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { listVideos, type Video } from '#shared/contract/videos.ts';

/** Finished videos, newest first. */
export const videosQuery = queryOptions({
  queryKey: QUERY_KEYS.videos,
  queryFn: async ({ signal }): Promise<PlayableVideo[]> => {
    const { videos } = await callApi(listVideos, { query: {} }, { signal });
    return videos.flatMap((video) => {
      const url = video.videoUrl ?? video.url;
      return video.status === 'completed' && url !== null ? [{ ...video, url }] : [];
    });
  },
  staleTime: USER_DATA_STALE_MS,
  meta: { persist: 'whole' },
});
export type PlayableVideo = Video & { url: string };
