import { skipToken, useQuery } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { getPremiumStatus } from '#shared/contract/account.ts';
import { getVideoDownloadAccess } from '#shared/contract/videos.ts';
import { DOWNLOAD_TEXTS } from './download-access.ts';
import type { DownloadTarget } from './download-file.ts';

export interface DownloadAccess {
  canDownload: boolean;
  /** The heading of the offer for people who may not download. */
  refusal: string;
  premium: { hasSuccessfulTransactions: boolean; transactionCount: number };
}

/** Whether originals may be downloaded. Fetched each time, because the person may have just paid. */
export function useDownloadAccess(target: DownloadTarget) {
  const videoId = target.kind === 'video' ? target.videoId : null;
  const ofVideo = useQuery({
    // Below the premium status, because a purchase changes both.
    queryKey: [...QUERY_KEYS.premiumStatus, 'download-access', videoId],
    queryFn:
      videoId === null
        ? skipToken
        : ({ signal }) => callApi(getVideoDownloadAccess, { params: { id: videoId } }, { signal }),
    select: ({ canDownload, upgradeMessage, premiumStatus }): DownloadAccess => ({
      canDownload,
      refusal: upgradeMessage ?? DOWNLOAD_TEXTS.premiumOnly,
      premium: premiumStatus,
    }),
    staleTime: 0,
  });
  const ofPictures = useQuery({
    queryKey: QUERY_KEYS.premiumStatus,
    queryFn: videoId === null ? ({ signal }) => callApi(getPremiumStatus, undefined, { signal }) : skipToken,
    select: (premium): DownloadAccess => ({
      canDownload: premium.hasSuccessfulTransactions,
      refusal: DOWNLOAD_TEXTS.premiumOnly,
      premium,
    }),
    staleTime: 0,
  });
  return videoId === null ? ofPictures : ofVideo;
}
