import { useQueryClient } from '@tanstack/react-query';
import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError, describeError, isConsentRefusal } from '#pwa/client/api-error.ts';
import { isUncertain } from '#pwa/client/start-intent.ts';
import { toast } from '#pwa/components/toast.ts';
import { beginWork } from '#pwa/device/busy.ts';
import { hasConnection } from '#pwa/device/connection.ts';
import { ignoreFailure } from '#pwa/device/storage.ts';
import {
  afterConsent,
  obtainConsent,
  obtainConsentAfterRefusal,
  refreshConsentNeeds,
} from '#pwa/features/consent/document-consent.ts';
import { pageLocation, trackEvent } from '#pwa/features/consent/tag-manager.ts';
import { announcePhoto } from '#pwa/features/generations/announce-photo.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { readFolder } from '#pwa/features/uploads/photo-folder.ts';
import { isSettled, readWait, type UploadWait } from '#pwa/features/uploads/queued-upload.ts';
import { uploadFile } from '#pwa/features/uploads/upload-file.ts';
import {
  forgetQueuedUpload,
  giveUpQueuedUpload,
  queueFile,
  resumeAfterConsent,
  retryQueuedUpload,
  type UploadSlot,
} from '#pwa/features/uploads/upload-queue.ts';
import { useQueuedUpload } from '#pwa/features/uploads/use-queued-upload.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { PHOTO_ERRORS, PHOTO_ROOM_ERRORS, type UploadedPhoto, uploadPhoto } from '#shared/contract/uploads.ts';
import { findFileFault, findSizeFault, measurePhoto, PHOTO_TEXTS } from './photo-checks.ts';
import { shrinkPhoto } from './shrink-photo.ts';

export type PhotoUploadState =
  | { phase: 'idle' }
  /** `share` of the bytes sent, 0 to 1; null while the file is being checked. */
  | { phase: 'uploading'; name: string; previewUrl: string; share: number | null }
  /** Queued on the device until there is a network, the server can take it, or the person sends it again. */
  | { phase: 'waiting'; name: string; previewUrl: string; wait: UploadWait }
  /** `oversized`: the file, if it can be reduced on the device. `needsRoom`: some photos have to be deleted first. */
  | { phase: 'failed'; message: string; oversized: File | null; needsRoom: boolean };

const UPLOAD_FAILED = 'Ошибка загрузки';

/** What the person can do about a failed upload. */
interface FailureWay {
  oversized?: File | null;
  needsRoom?: boolean;
}

type Fail = (message: string, way?: FailureWay) => void;

/**
 * The outcome of a file. `kept`: it is the photo, or will be once there is a network. `refused`: it cannot be used.
 * `lost`: another file has replaced it or it could not be sent, so it may be tried again.
 */
export type UploadOutcome = 'kept' | 'refused' | 'lost';

export interface PhotoUploading {
  state: PhotoUploadState;
  /** Checks the file and uploads it, or queues it until there is a network. Aborts a previous upload. */
  upload: (file: File) => Promise<UploadOutcome>;
  /** Says why the address of a picture cannot be used. An upload in progress goes on. */
  refuseLink: () => void;
  /** Reduces a photo that is too large and uploads it. */
  shrink: (file: File) => void;
  /** Removes the queued file or aborts its upload, with the start that depended on it. */
  giveUp: () => void;
  /** Sends a waiting upload again, after the consent that it may wait for. */
  retry: () => void;
}

/**
 * Checks a file by the rules of the page and uploads it, even after the network was lost. The result goes to
 * `onUploaded`.
 */
export function usePhotoUpload(onUploaded: (photo: UploadedPhoto) => void, slot: UploadSlot): PhotoUploading {
  const userId = useSessionMarker()?.userId ?? null;
  const queryClient = useQueryClient();
  const [state, setState] = useState<PhotoUploadState>({ phase: 'idle' });
  const running = useRef<AbortController | null>(null);
  const deliver = useRef(onUploaded);
  deliver.current = onUploaded;

  useEffect(() => () => running.current?.abort(), []);
  const previewUrl = 'previewUrl' in state ? state.previewUrl : null;
  useEffect(() => (previewUrl ? () => URL.revokeObjectURL(previewUrl) : undefined), [previewUrl]);

  const fail: Fail = (message, { oversized = null, needsRoom = false } = {}) => {
    setState({ phase: 'failed', message, oversized, needsRoom });
    toast({ title: UPLOAD_FAILED, description: message, tone: 'danger' });
    trackEvent('error_occurred', { error_type: 'file_upload', error_message: message, page_location: pageLocation() });
  };
  const finish = (photo: UploadedPhoto) => {
    setState({ phase: 'idle' });
    announcePhoto(photo);
    deliver.current(photo);
  };
  useQueueNews(userId, slot, setState, fail);

  const upload = async (file: File): Promise<UploadOutcome> => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    // A file that was moved or that its cloud does not hand out cannot be read.
    const fileFault = await findFileFault(file).catch(() => PHOTO_TEXTS.notSent);
    if (own.signal.aborted) return 'lost';
    if (fileFault) {
      fail(fileFault, { oversized: fileFault === PHOTO_TEXTS.tooLarge ? file : null });
      return 'refused';
    }

    const preview = URL.createObjectURL(file);
    const showProgress = (share: number | null) =>
      setState({ phase: 'uploading', name: file.name, previewUrl: preview, share });
    showProgress(null);
    const size = await measurePhoto(file);
    if (own.signal.aborted) return 'lost';
    // A picture that the browser cannot read, the server often can. It decides.
    const sizeFault = size && findSizeFault(size);
    if (sizeFault) {
      fail(sizeFault);
      return 'refused';
    }
    if (!(await obtainConsent(queryClient))) {
      setState({ phase: 'idle' });
      return 'lost';
    }
    if (own.signal.aborted) return 'lost';
    // The newest photo counts, so an older queued one must not follow it.
    if (userId !== null) ignoreFailure(giveUpQueuedUpload(userId, slot));
    const sending = { userId, slot, signal: own.signal, onProgress: showProgress, finish, fail };
    const askConsent = () => obtainConsentAfterRefusal(queryClient);
    return sendOrQueue(file, { ...sending, askConsent });
  };

  const refuseLink = () => {
    const isBusy = state.phase === 'uploading' || state.phase === 'waiting';
    if (isBusy) toast({ title: UPLOAD_FAILED, description: PHOTO_TEXTS.link, tone: 'danger' });
    else fail(PHOTO_TEXTS.link);
  };

  async function shrink(file: File): Promise<void> {
    setState({ phase: 'uploading', name: file.name, previewUrl: URL.createObjectURL(file), share: null });
    const smaller = await shrinkPhoto(file);
    if (smaller) await upload(smaller);
    else fail(PHOTO_TEXTS.notShrunk);
  }

  const giveUp = () => {
    running.current?.abort();
    if (userId !== null) ignoreFailure(giveUpQueuedUpload(userId, slot));
    setState({ phase: 'idle' });
  };

  const retry = useRetry(userId, slot, state.phase === 'waiting' && state.wait.awaitsConsent);
  return { state, upload, refuseLink, shrink, giveUp, retry };
}

/**
 * Shows the state of the queue. A sent photo is taken over by the tool itself, because this upload may not be on the
 * page by then.
 */
function useQueueNews(
  userId: number | null,
  slot: UploadSlot,
  setState: Dispatch<SetStateAction<PhotoUploadState>>,
  fail: Fail,
): void {
  const queued = useQueuedUpload(userId, slot);
  const onRefused = useEffectEvent(fail);
  useEffect(() => {
    if (userId === null) return;
    if (queued?.file && queued.failure) {
      ignoreFailure(forgetQueuedUpload(userId, slot, queued.id));
      return onRefused(queued.failure.message, { needsRoom: isRoomError(queued.failure.code) });
    }
    const isShown = queued && !queued.isPhotoKnown && !isSettled(queued);
    if (isShown && queued.file) {
      const { name, type, bytes } = queued.file;
      const previewUrl = URL.createObjectURL(new Blob([bytes], { type }));
      return setState({ phase: 'waiting', name, previewUrl, wait: readWait(queued) });
    }
    if (isShown && queued.photo) {
      const { name, thumbnailUrl } = queued.photo;
      return setState({ phase: 'waiting', name, previewUrl: thumbnailUrl, wait: readWait(queued) });
    }
    setState((now) => (now.phase === 'waiting' ? { phase: 'idle' } : now));
  }, [queued, userId, slot, setState]);
}

/** Sends the queued photo again, after the consent that it waits for. */
function useRetry(userId: number | null, slot: UploadSlot, awaitsConsent: boolean): () => void {
  const queryClient = useQueryClient();
  // What the page knows of the consent may be outdated: the server lacks it, or has got it from another device.
  useEffect(() => {
    if (awaitsConsent) void refreshConsentNeeds(queryClient);
  }, [awaitsConsent, queryClient]);
  return () => {
    if (userId === null) return;
    if (awaitsConsent) afterConsent(queryClient, false, () => ignoreFailure(resumeAfterConsent(userId)));
    else ignoreFailure(retryQueuedUpload(userId, slot));
  };
}

interface Sending {
  userId: number | null;
  slot: UploadSlot;
  signal: AbortSignal;
  onProgress: (share: number) => void;
  finish: (photo: UploadedPhoto) => void;
  fail: Fail;
  /** Asks for a consent that the page did not know to be lacking. Null after it was asked. */
  askConsent: (() => Promise<boolean>) | null;
}

/** Uploads a checked photo, or queues it on the device when there is no network or the server cannot take it now. */
async function sendOrQueue(file: File, sending: Sending): Promise<UploadOutcome> {
  const { userId, slot, signal, onProgress, finish, fail, askConsent } = sending;
  // The same key for every try, so that a connection lost after the last byte creates no second photo.
  const key = crypto.randomUUID();
  const keepForLater = async (error: ApiError | null): Promise<boolean> => {
    if (userId === null) return false;
    return queueFile(userId, slot, file, { id: key, error }).then(
      () => true,
      () => false,
    );
  };
  if (!hasConnection()) {
    if (await keepForLater(null)) return 'kept';
    fail(PHOTO_TEXTS.notSent);
    return 'lost';
  }
  const endWork = beginWork();
  try {
    const headers = { [IDEMPOTENCY_KEY_HEADER]: key };
    const query = { folder: readFolder(file) ?? undefined };
    const photo = await uploadFile(uploadPhoto, { file, query }, { signal, onProgress, headers });
    if (signal.aborted) return 'lost';
    finish(photo);
    return 'kept';
  } catch (error) {
    if (signal.aborted) return 'lost';
    if (error instanceof ApiError && isUncertain(error.status) && (await keepForLater(error))) return 'kept';
    const isConsentAsked = error instanceof ApiError && isConsentRefusal(error.code);
    if (isConsentAsked && askConsent && (await askConsent()) && !signal.aborted) {
      return sendOrQueue(file, { ...sending, askConsent: null });
    }
    const needsRoom = error instanceof ApiError && isRoomError(error.code);
    fail(describeError(error, PHOTO_TEXTS.notSent), { needsRoom });
    return isPhotoRefused(error) ? 'refused' : 'lost';
  } finally {
    endWork();
  }
}

function isRoomError(code: string | null | undefined): boolean {
  return PHOTO_ROOM_ERRORS.some((one) => one === code);
}

/** Whether the server refuses this photo for good. */
function isPhotoRefused(error: unknown): boolean {
  return error instanceof ApiError && PHOTO_ERRORS.some((code) => code === error.code);
}
