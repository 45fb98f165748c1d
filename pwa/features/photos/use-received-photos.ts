import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import { ignoreFailure } from '#pwa/device/storage.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import type { ReceivedPhoto } from '#pwa/features/uploads/shared-photos.ts';
import { SHARE_QUERY } from '#shared/rules/share-target.ts';
import { openReceiver, type Receiver } from './open-receiver.ts';
import type { UploadOutcome } from './use-photo-upload.ts';

export interface ReceivedPhotosOptions {
  /** Whether this page takes the first photo of a share, as soon as it can take a photo. */
  takesFirst: boolean;
  canTake: boolean;
}

export interface ReceivedPhotos {
  /** The waiting photos, newest share first, without the one that is being uploaded. */
  photos: readonly ReceivedPhoto[];
  take: (photo: ReceivedPhoto) => void;
  putAway: (photos: readonly ReceivedPhoto[]) => void;
}

/**
 * Photos that were shared with the app or opened with it, for the signed-in account and while the page is open. Removes
 * the share from the address.
 */
export function useReceivedPhotos(
  onFile: (file: File) => Promise<UploadOutcome>,
  { takesFirst, canTake }: ReceivedPhotosOptions,
): ReceivedPhotos {
  const userId = useSessionMarker()?.userId ?? null;
  const [photos, setPhotos] = useState<readonly ReceivedPhoto[]>([]);
  const latest = useRef({ onFile, canTake });
  latest.current = { onFile, canTake };
  const receiver = useRef<Receiver | null>(null);

  useEffect(() => {
    setPhotos([]);
    if (userId === null) return;
    const opened = openReceiver(userId, {
      takesFirst,
      canTake: () => latest.current.canTake,
      onFile: (file) => latest.current.onFile(file),
      show: setPhotos,
    });
    receiver.current = opened;
    return () => {
      opened.close();
      receiver.current = null;
    };
  }, [userId, takesFirst]);

  useEffect(() => {
    if (canTake) receiver.current?.handDue();
  }, [canTake]);

  useForgottenAddress(takesFirst);

  return {
    photos,
    take: (photo) => {
      if (receiver.current) ignoreFailure(receiver.current.take(photo));
    },
    putAway: (unwanted) => void receiver.current?.putAway(unwanted),
  };
}

/** Removes the query of a share from the address, so that a reload does not repeat it. */
function useForgottenAddress(isEnabled: boolean): void {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isEnabled || new URLSearchParams(search).get('share') !== SHARE_QUERY.received) return;
    void navigate(pathname, { replace: true, state: KEEP_SCROLL });
  }, [isEnabled, search, pathname, navigate]);
}
