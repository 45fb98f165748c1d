import { z } from 'zod';
import type { EngineFailure, EngineFailureCode } from '#api/adapters/generation-engines/generation-engine.ts';
import { LINK, VALIDATION_TYPE } from '#shared/rules/outside-text.ts';

/** An answer of fal, read in full. `body`: parsed where it is JSON, otherwise its text. */
export interface FalReply {
  status: number;
  headers: Headers;
  body: unknown;
}

/** `detail` is a list of typed errors, or a text from older models. `error_type`: a fault of the platform. */
const errorBody = z.object({
  detail: z.union([z.string(), z.array(z.object({ type: z.string(), loc: z.array(z.unknown()).optional() }))]),
  error_type: z.string().optional(),
});

type Kind = Pick<EngineFailure, 'code' | 'shouldRetry'>;
const again = (code: EngineFailureCode): Kind => ({ code, shouldRetry: true });
const final = (code: EngineFailureCode): Kind => ({ code, shouldRetry: false });
/** The table of models does not fit the model, or this order is odd. */
const MISFIT = final('engine_misconfigured');

/** Documented types of errors of models and of the platform. */
const KINDS: Record<string, Kind> = {
  content_policy_violation: final('content_refused'),
  image_load_error: final('photo_unsuitable'),
  image_too_small: final('photo_unsuitable'),
  image_too_large: final('photo_unsuitable'),
  file_too_large: final('photo_unsuitable'),
  face_detection_error: final('photo_unsuitable'),
  unsupported_image_format: final('photo_unsuitable'),
  file_download_error: again('engine_error'),
  no_media_generated: again('engine_error'),
  internal_server_error: again('engine_error'),
  downstream_service_error: again('engine_error'),
  downstream_service_unavailable: again('engine_overloaded'),
  generation_timeout: again('engine_timed_out'),
  feature_not_supported: MISFIT,
  request_timeout: again('engine_timed_out'),
  startup_timeout: again('engine_timed_out'),
  runner_scheduling_failure: again('engine_overloaded'),
  runner_connection_timeout: again('engine_overloaded'),
  runner_connection_refused: again('engine_overloaded'),
  runner_connection_error: again('engine_overloaded'),
  runner_disconnected: again('engine_overloaded'),
  runner_incomplete_response: again('engine_error'),
  runner_server_error: again('engine_error'),
  internal_error: again('engine_error'),
  bad_request: MISFIT,
  client_cancelled: final('job_cancelled'),
  client_disconnected: again('engine_error'),
};
/** Older models say it only in words. */
const POLICY_WORDS =
  /content (polic|check|filter)|moderat|nsfw|safety|flagged|sensitive|inappropriate|risk control|\bminors?\b|underage/i;

/** Whether the answer describes a failure of a job, and not of the way to it. */
export function describesJob({ status, headers, body }: FalReply): boolean {
  if (status === 500) return true;
  const error = errorBody.safeParse(body).data;
  if (!error) return false;
  if (status === 400 || status === 422) return true;
  // A gateway on the way has only a text to say. A job that was made must not be made and paid for again.
  const isTyped = typeof error.detail !== 'string' || error.error_type !== undefined;
  return status > 500 && (isTyped || headers.has('x-fal-error-type'));
}

/** Why a job failed, by the answer to the request for its result. */
export function explainFailure(reply: FalReply): EngineFailure {
  const parsed = errorBody.safeParse(reply.body).data;
  const list = Array.isArray(parsed?.detail) ? parsed.detail : [];
  const text = typeof parsed?.detail === 'string' ? parsed.detail : '';
  const types = [reply.headers.get('x-fal-error-type') ?? parsed?.error_type, ...list.map(({ type }) => type), text];
  const named = types.filter((type): type is string => Boolean(type));
  const kind = chooseKind(named, text);
  // A rejected input may have cost time on a machine. Faults of the platform are never charged, nor are cancelled jobs.
  const charge = reply.status < 500 && kind.code !== 'job_cancelled' ? { isCharged: true } : {};
  const where = list.flatMap(({ loc = [] }) => loc.join('.')).join(' ');
  const detail = `${reply.status} ${named.join(' ')} ${where}`;
  return { ...kind, shouldRetry: mayRetry(reply.headers, kind), detail: cleanDetail(detail), ...charge };
}

function chooseKind(types: readonly string[], text: string): Kind {
  const known = types.map((type) => KINDS[type]).find((kind) => kind !== undefined);
  if (known) return known;
  if (POLICY_WORDS.test(text)) return final('content_refused');
  return types.some((type) => type !== text && VALIDATION_TYPE.test(type)) ? MISFIT : again('engine_error');
}

/** fal's own advice counts where another try could help at all. */
function mayRetry(headers: Headers, { code, shouldRetry }: Kind): boolean {
  if (code === 'content_refused' || code === 'engine_misconfigured') return false;
  // It waited for a machine as long as we allow. Another wait is too long for the person.
  if (headers.get('x-fal-request-timeout-type') === 'user') return false;
  const advice = headers.get('x-fal-retryable') ?? headers.get('x-fal-needs-retry');
  return advice === null ? shouldRetry : /^(true|1)$/i.test(advice);
}

/** Why nothing was started, by the answer to an upload or a submit. Null when the answer does not say so. */
export function explainRefusal(reply: FalReply): EngineFailure | null {
  const { status, body } = reply;
  const text = typeof body === 'string' ? '' : (errorBody.safeParse(body).data?.detail ?? '');
  const detail = cleanDetail(`${status} ${typeof text === 'string' ? text : text.map(({ type }) => type).join(' ')}`);
  if (status === 429 || status === 503) return { ...again('engine_overloaded'), detail };
  // Whole words, because «blocked» is what a firewall says about one order.
  if (status === 402 || (status === 403 && /\b(locked|balance)\b/i.test(detail))) {
    return { ...final('engine_unfunded'), detail };
  }
  if (status === 413) return { ...final('photo_unsuitable'), detail };
  if (status === 422 || status === 400) return { ...explainFailure(reply), isCharged: false };
  const isRefused = status >= 300 && status < 500 && status !== 408;
  return isRefused ? { ...final('engine_misconfigured'), detail } : null;
}

/** Without addresses, which show where photos are, and short. */
function cleanDetail(detail: string): string {
  return detail.replaceAll(LINK, '…').trim().slice(0, 200);
}
