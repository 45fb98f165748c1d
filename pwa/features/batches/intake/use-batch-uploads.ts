import { useEffect, useState } from 'react';
import { ignoreFailure } from '#pwa/device/storage.ts';
import {
  type BatchUpload,
  readBatchUploads,
  subscribeBatchUploads,
  type UploadPause,
} from '#pwa/features/uploads/batch-uploads.ts';

export interface WaitingUploads {
  /** Null until they are read. */
  files: readonly BatchUpload[] | null;
  pause: UploadPause | null;
  /** How much of the files that are being sent now is sent, 0 to 1, by row. */
  shares: ReadonlyMap<string, number>;
}

const NOTHING: WaitingUploads = { files: null, pause: null, shares: new Map() };

/** The files of a batch that wait on this device. `onAnswered`: the server has told something new of the batch. */
export function useBatchUploads(userId: number | null, batchId: string, onAnswered: () => void): WaitingUploads {
  const [waiting, setWaiting] = useState(NOTHING);
  useEffect(() => {
    setWaiting(NOTHING);
    if (userId === null) return;
    let isCurrent = true;
    const read = () =>
      ignoreFailure(
        readBatchUploads(userId).then(({ files, pause }) => {
          const own = files.filter((upload) => upload.batchId === batchId);
          const ids = new Set(own.map(({ rowId }) => rowId));
          if (!isCurrent) return;
          setWaiting(({ shares }) => ({
            files: own,
            pause,
            shares: new Map([...shares].filter(([id]) => ids.has(id))),
          }));
        }),
      );
    const stopListening = subscribeBatchUploads((news) => {
      if (news.type === 'progress') {
        setWaiting((now) => ({ ...now, shares: new Map(now.shares).set(news.rowId, news.share) }));
      } else if (news.type === 'answered') {
        if (news.batchId === batchId) onAnswered();
      } else {
        void read();
      }
    });
    void read();
    return () => {
      isCurrent = false;
      stopListening();
    };
  }, [userId, batchId, onAnswered]);
  return waiting;
}
