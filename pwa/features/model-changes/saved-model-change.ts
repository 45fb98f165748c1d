import { z } from 'zod';
import { readStored, removeStored, writeStored } from '#pwa/lib/storage.ts';
import { uploadedPhoto } from '#shared/contract/uploads.ts';
import { WIZARD_STEPS } from './wizard.ts';

const REQUEST_KEY = 'changeModelRequestId';
const DATA_KEY = 'changeModelData';
const DRAFT_KEY = 'changeModelDraft';

const requestId = z.string().min(1).max(64);
/** The data beside the request's id, as the specification names it. */
export const selectedData = z.object({
  /** Ids of the catalogue; one at most. */
  selectedModels: z.array(z.string().min(1)).max(1),
  selectedBackground: z.string().min(1).nullable(),
  photo: uploadedPhoto.nullable(),
  /** Milliseconds since 1970, of the start. */
  timestamp: z.number().positive(),
});

/** A change of model that this device has started or found. */
export interface FollowedRequest {
  requestId: string;
  photo: z.infer<typeof uploadedPhoto> | null;
  modelId: string | null;
  backgroundId: string | null;
  startedAt: number;
}

/** The stored request and its selection, or null; halves and what cannot be read are cleared. */
export async function readSavedRequest(userId: number): Promise<FollowedRequest | null> {
  const [id, data] = await Promise.all([
    readStored(userId, REQUEST_KEY, requestId),
    readStored(userId, DATA_KEY, selectedData),
  ]);
  if (id !== null && data !== null) return toFollowedRequest(id, data);
  await forgetRequest(userId);
  return null;
}

export async function saveRequest(userId: number, request: FollowedRequest): Promise<void> {
  await writeStored(userId, DATA_KEY, toSelectedData(request));
  await writeStored(userId, REQUEST_KEY, request.requestId);
}

export async function forgetRequest(userId: number): Promise<void> {
  await removeStored(userId, REQUEST_KEY);
  await removeStored(userId, DATA_KEY);
}

/** Choices that were not sent yet, so that a way to buy stars or a reload loses no work. */
const savedDraft = z.object({
  photo: uploadedPhoto.nullable(),
  modelId: z.string().nullable(),
  backgroundId: z.string().nullable(),
  step: z.enum(WIZARD_STEPS),
});
export type SavedDraft = z.infer<typeof savedDraft>;

export function readDraft(userId: number): Promise<SavedDraft | null> {
  return readStored(userId, DRAFT_KEY, savedDraft);
}

export function saveDraft(userId: number, draft: SavedDraft): Promise<void> {
  return writeStored(userId, DRAFT_KEY, draft);
}

export function forgetDraft(userId: number): Promise<void> {
  return removeStored(userId, DRAFT_KEY);
}

/** What is stored of a request beside its id. */
export function toSelectedData({
  modelId,
  backgroundId,
  photo,
  startedAt,
}: FollowedRequest): z.infer<typeof selectedData> {
  return {
    selectedModels: modelId === null ? [] : [modelId],
    selectedBackground: backgroundId,
    photo,
    timestamp: startedAt,
  };
}

/** The request that was stored. */
export function toFollowedRequest(id: string, data: z.infer<typeof selectedData>): FollowedRequest {
  return {
    requestId: id,
    photo: data.photo,
    modelId: data.selectedModels[0] ?? null,
    backgroundId: data.selectedBackground,
    startedAt: data.timestamp,
  };
}
