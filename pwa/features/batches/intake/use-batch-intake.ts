import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { beginWork } from '#pwa/device/busy.ts';
import { ignoreFailure } from '#pwa/device/storage.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { noteBatch, refetchBatch, useBatch } from '#pwa/features/batches/batch-queries.ts';
import { obtainConsent } from '#pwa/features/consent/document-consent.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { hasBackgroundSync } from '#pwa/features/uploads/ask-for-sync.ts';
import { removeBatchUploads, resumeBatchUploads, type UploadPause } from '#pwa/features/uploads/batch-uploads.ts';
import { addRows } from '#shared/contract/batches.ts';
import type { IntakeFile } from './add-files.ts';
import { useBatchUploads } from './use-batch-uploads.ts';

export interface RowProgress {
  /** How much of the file is sent, 0 to 1. */
  sentShare: number;
  state: 'hashing' | 'queued' | 'sending' | 'paused';
}

export interface BatchIntake {
  /** Makes a row of each file at once, and sends the files by and by. Resolves with those that the device keeps now. */
  addIntake: (files: readonly IntakeFile[]) => Promise<readonly IntakeFile[]>;
  /** Adds photos that the account has. */
  addPhotos: (photoIds: readonly string[]) => Promise<void>;
  /** What becomes of the files on this device, by row. */
  progress: ReadonlyMap<string, RowProgress>;
  /** Files of this batch that are still to be sent from this device. */
  left: number;
  /** Rows that wait for a file which is not on this device. */
  missing: number;
  isWaitingForConnection: boolean;
  /** Why the server takes nothing now. */
  pause: UploadPause | null;
  /** Sends again at once. */
  resume: () => void;
  /** Whether files are sent only while a page is open. */
  needsOpenPage: boolean;
  /** Forgets the files of rows that are removed. */
  remove: (rowIds: readonly string[]) => void;
}

/** What comes into a batch: files of this device, photos of the account, and how far they are sent. */
export function useBatchIntake(batchId: string): BatchIntake {
  const userId = useSessionMarker()?.userId ?? null;
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const rows = useBatch(batchId).data?.rows;
  const onAnswered = useCallback(() => refetchBatch(queryClient, batchId), [queryClient, batchId]);
  const { files, pause, shares } = useBatchUploads(userId, batchId, onAnswered);
  const needsOpenPage = useNeedsOpenPage();

  const shown = useRef<ReadonlyMap<string, RowProgress>>(new Map());
  const progress = useMemo(() => {
    const describe = (rowId: string, sha256: string | null): RowProgress => {
      const sentShare = shares.get(rowId);
      if (sha256 === null) return { sentShare: 0, state: 'hashing' };
      if (pause || !isOnline) return { sentShare: 0, state: 'paused' };
      return sentShare === undefined ? { sentShare: 0, state: 'queued' } : { sentShare, state: 'sending' };
    };
    const next = new Map(files?.map(({ rowId, sha256 }) => [rowId, describe(rowId, sha256)]));
    shown.current = keepEqual(shown.current, next);
    return shown.current;
  }, [files, shares, pause, isOnline]);

  const missing = useMemo(
    () => (files && rows ? rows.filter(({ id, state }) => state === 'uploading' && !progress.has(id)) : []),
    [files, rows, progress],
  );

  const addIntake = async (added: readonly IntakeFile[]) => {
    if (userId === null || added.length === 0 || !(await obtainConsent(queryClient))) return [];
    const endWork = beginWork();
    try {
      const { addIntakeFiles } = await import('./add-files.ts');
      return await addIntakeFiles(userId, batchId, added, missing);
    } catch (error) {
      toastFailure('Не удалось добавить файлы', error, 'На устройстве нет места или браузер не даёт его занять');
      return [];
    } finally {
      endWork();
    }
  };
  const remove = useCallback(
    (rowIds: readonly string[]) => userId !== null && ignoreFailure(removeBatchUploads(userId, rowIds)),
    [userId],
  );
  return {
    addIntake,
    async addPhotos(photoIds) {
      const body = { rows: photoIds.map((photoId) => ({ id: crypto.randomUUID(), name: '', photoId })) };
      try {
        await noteBatch(queryClient, batchId, await callApi(addRows, { params: { id: batchId }, body }));
      } catch (error) {
        toastFailure('Не удалось добавить фото', error, 'Попробуйте ещё раз');
      }
    },
    progress,
    left: files?.length ?? 0,
    missing: missing.length,
    isWaitingForConnection: !isOnline && (files?.length ?? 0) > 0,
    pause: files && files.length > 0 ? pause : null,
    resume: () => userId !== null && ignoreFailure(resumeBatchUploads(userId)),
    needsOpenPage,
    remove,
  };
}

/** The new map with the objects of the earlier one where nothing has changed, so that only changed rows are drawn. */
function keepEqual(
  before: ReadonlyMap<string, RowProgress>,
  next: ReadonlyMap<string, RowProgress>,
): ReadonlyMap<string, RowProgress> {
  return new Map(
    [...next].map(([rowId, progress]) => {
      const known = before.get(rowId);
      const isSame = known?.state === progress.state && known.sentShare === progress.sentShare;
      return [rowId, isSame ? known : progress];
    }),
  );
}

function useNeedsOpenPage(): boolean {
  const [needsOpenPage, setNeedsOpenPage] = useState(true);
  useEffect(() => {
    void hasBackgroundSync().then((has) => setNeedsOpenPage(!has));
  }, []);
  return needsOpenPage;
}
