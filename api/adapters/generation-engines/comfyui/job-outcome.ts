import { z } from 'zod';
import type { EngineFailure, EngineOutput } from '#api/adapters/generation-engines/generation-engine.ts';
import type { HistoryEntry, OutputFile } from './comfyui-client.ts';
import { misconfigured } from './servers.ts';

type ContentType = EngineOutput['contentType'];

export type JobOutcome =
  | { state: 'made'; file: OutputFile; contentType: ContentType }
  | { state: 'failed'; failure: EngineFailure }
  /** The GPU's memory is too small for the job. */
  | { state: 'out_of_memory'; detail: string };

const CONTENT_TYPES: Record<'video' | 'picture', Readonly<Record<string, ContentType>>> = {
  video: { mp4: 'video/mp4' },
  picture: { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' },
};

/** Nodes add fields of their own, such as paths on the server. They are ignored. */
const outputFile = z.object({ filename: z.string(), subfolder: z.string().default(''), type: z.literal('output') });
const executionError = z.object({
  node_type: z.string().default('?'),
  exception_type: z.string().default(''),
  exception_message: z.string().default(''),
});

/** Reads how a job ended. `resultNode`: the node whose files are the result. */
export function readOutcome(entry: HistoryEntry, resultNode: string, makes: 'video' | 'picture'): JobOutcome {
  if (!entry.isSuccess) return readFailure(entry);
  const lists = Object.values(entry.outputs[resultNode] ?? {}).filter((value) => Array.isArray(value));
  for (const item of lists.flat()) {
    const file = outputFile.safeParse(item).data;
    const contentType = file && CONTENT_TYPES[makes][file.filename.split('.').at(-1)?.toLowerCase() ?? ''];
    if (contentType) return { state: 'made', file, contentType };
  }
  const wanted = Object.keys(CONTENT_TYPES[makes]).join(', ');
  const detail = `the node marked OUT:RESULT (${resultNode}) saved no file of the type ${wanted}`;
  return { state: 'failed', failure: misconfigured(detail) };
}

function readFailure({ messages }: HistoryEntry): JobOutcome {
  if (messages.some(([type]) => type === 'execution_interrupted')) {
    return fail('job_cancelled', 'the job was interrupted on the server', true);
  }
  const told = messages.find(([type]) => type === 'execution_error')?.[1];
  const error = executionError.safeParse(told).data;
  if (!error) return fail('engine_error', 'the job failed without a reason', true);
  const { node_type, exception_type, exception_message } = error;
  // The trace names folders of the server, and its first line is enough.
  const detail = `${node_type}: ${exception_type}: ${exception_message.split('\n')[0]}`;
  if (/OutOfMemory/i.test(exception_type) || /out of memory/i.test(exception_message)) {
    return { state: 'out_of_memory', detail };
  }
  if (/UnidentifiedImage|DecompressionBomb/.test(exception_type)) return fail('photo_unsuitable', detail, false);
  // A model file is missing, cut off or of another kind.
  if (/FileNotFound|ModuleNotFound|Safetensor|UnpicklingError/.test(exception_type) || /Loader/.test(node_type)) {
    return { state: 'failed', failure: misconfigured(detail) };
  }
  return fail('engine_error', detail, true);
}

function fail(code: EngineFailure['code'], detail: string, shouldRetry: boolean): JobOutcome {
  return { state: 'failed', failure: { code, detail, shouldRetry } };
}
