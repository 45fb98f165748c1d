import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from './lower-priority.ts';
import { findSubjectKind } from './subject-kind.ts';

lowerPriority();
parentPort!.postMessage(await findSubjectKind(Buffer.from(workerData as Uint8Array)));
