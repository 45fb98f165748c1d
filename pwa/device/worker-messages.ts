import * as z from 'zod/mini';
import { isOwnPath } from '#shared/rules/own-path.ts';

/** The tag of the background sync that wakes the worker when the network is back. */
export const UPLOADS_SYNC_TAG = 'podium-uploads';

/** The tag of the background sync for the files of batches. */
export const BATCH_UPLOADS_SYNC_TAG = 'podium-batch-uploads';

/** What the worker asks a page to do; the page answers through the port that comes with it. */
export const workerMessage = z.object({ type: z.literal('open_path'), path: z.string().check(z.refine(isOwnPath)) });
export type WorkerMessage = z.infer<typeof workerMessage>;
