import { randomUUID } from 'node:crypto';
import { createFalEngine } from '#api/adapters/generation-engines/fal/fal-engine.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import {
  describeEngine,
  type EngineHarness,
  type FailureCase,
} from '#tests/api/adapters/generation-engines/engine-contract.ts';
import type { FakeFal } from '#tests/support/fake-fal.ts';
import { FAL_ANSWERS, type FalCall, type FalFault, modelError, platformError } from '#tests/support/fake-fal-rules.ts';
import { enterFal } from './fal-harness.ts';

function listFailures(fake: FakeFal): FailureCase[] {
  const refusing = (what: string, fault: FalFault, call: FalCall = 'submit') => ({
    what,
    isRefused: true,
    cause: () => fake.behave({ call: [call, fault] }),
  });
  const failing = (what: string, answer = modelError(what)) => ({
    what,
    cause: () => fake.behave({ fate: { kind: 'failed', answer } }),
  });
  const spoiling = (fault: 'wrong_type' | 'missing' | 'foreign' | 'redirect') => ({
    what: `a result: ${fault}`,
    cause: () => fake.behave({ fate: { kind: 'file', fault } }),
  });
  const again = (code: FailureCase['code']) => ({ code, shouldRetry: true });
  const final = (code: FailureCase['code']) => ({ code, shouldRetry: false });
  return [
    { ...refusing('no balance', FAL_ANSWERS.unfunded), ...final('engine_unfunded') },
    { ...refusing('no balance for an upload', FAL_ANSWERS.unfunded, 'initiate'), ...final('engine_unfunded') },
    { ...refusing('a wrong key', FAL_ANSWERS.unauthorized), ...final('engine_misconfigured') },
    { ...refusing('a wrong key of an upload', FAL_ANSWERS.unauthorized, 'initiate'), ...final('engine_misconfigured') },
    { ...refusing('no access', FAL_ANSWERS.forbidden), ...final('engine_misconfigured') },
    {
      ...refusing('a firewall', { status: 403, body: { detail: 'Sorry, you have been blocked' } }),
      ...final('engine_misconfigured'),
    },
    { ...refusing('no such model', { status: 404, body: { detail: 'not found' } }), ...final('engine_misconfigured') },
    { ...refusing('too many requests', FAL_ANSWERS.tooMany), ...again('engine_overloaded') },
    { ...refusing('no capacity', FAL_ANSWERS.unavailable), ...again('engine_overloaded') },
    { ...refusing('another address', { status: 308, headers: { location: '/' } }), ...final('engine_misconfigured') },
    { ...failing('content_policy_violation'), ...final('content_refused') },
    {
      ...failing('a refusal as a text', modelError('content_policy_violation', { shape: 'text' })),
      ...final('content_refused'),
    },
    ...[
      'The prompt violates our content policy',
      'The content contained material flagged by a content checker.',
      'Failure to pass the risk control system',
      'The image shows a minor',
    ].map((words) => ({
      ...failing(`a refusal in words: ${words}`, modelError(words, { shape: 'text' })),
      ...final('content_refused'),
    })),
    {
      ...failing('a refusal that may be tried again', modelError('content_policy_violation', { retryable: true })),
      ...final('content_refused'),
    },
    { ...failing('image_load_error'), ...final('photo_unsuitable') },
    {
      ...failing('a load error of the moment', modelError('image_load_error', { retryable: true })),
      ...again('photo_unsuitable'),
    },
    { ...failing('image_too_small'), ...final('photo_unsuitable') },
    { ...failing('face_detection_error'), ...final('photo_unsuitable') },
    { ...failing('value_error.missing'), ...final('engine_misconfigured') },
    {
      ...failing('an input that is retryable', modelError('value_error.missing', { retryable: true })),
      ...final('engine_misconfigured'),
    },
    { ...failing('no_media_generated'), ...again('engine_error') },
    {
      ...failing('no_media_generated for good', modelError('no_media_generated', { retryable: false })),
      ...final('engine_error'),
    },
    {
      ...failing('the same in the older header', {
        ...modelError('no_media_generated'),
        headers: { 'x-fal-needs-retry': 'false' },
      }),
      ...final('engine_error'),
    },
    { ...failing('a text of an older model', modelError('Something', { shape: 'text' })), ...again('engine_error') },
    {
      ...failing('generation_timeout', modelError('generation_timeout', { status: 504 })),
      ...again('engine_timed_out'),
    },
    { ...failing('downstream_service_unavailable'), ...again('engine_overloaded') },
    { ...failing('request_timeout', platformError('request_timeout', 504)), ...again('engine_timed_out') },
    {
      ...failing('our own deadline', platformError('request_timeout', 504, { 'x-fal-request-timeout-type': 'user' })),
      ...final('engine_timed_out'),
    },
    { ...failing('startup_timeout', platformError('startup_timeout', 504)), ...again('engine_timed_out') },
    {
      ...failing('runner_disconnected', platformError('runner_disconnected', 503)),
      ...again('engine_overloaded'),
    },
    { ...failing('internal_error', platformError('internal_error', 500)), ...again('engine_error') },
    { ...failing('a crash of the model', { status: 500, body: 'Internal Server Error' }), ...again('engine_error') },
    { ...failing('a result that is gone', { status: 404, body: { detail: 'Not found' } }), ...again('job_lost') },
    {
      what: 'no image at all',
      cause: () => fake.behave({ fate: { kind: 'no_files' } }),
      ...again('engine_error'),
    },
    { ...spoiling('missing'), ...again('job_lost') },
    // A still picture in place of the video.
    { ...spoiling('wrong_type'), isOfVideo: true, ...final('engine_error') },
    { ...spoiling('foreign'), ...final('engine_misconfigured') },
    { ...spoiling('redirect'), ...final('engine_misconfigured') },
  ];
}

async function createHarness(): Promise<EngineHarness> {
  const { fake, options } = await enterFal();
  const unknown = `${options.queueUrl}/fal-ai/kling-video/requests/${randomUUID()}`;
  return {
    createEngine: async () => createFalEngine(options),
    countTaken: () => fake.countTaken(),
    failures: listFailures(fake),
    disconnect: () => fake.close(),
    loseNextAnswer: () => fake.behave({ call: ['submit', 'take_and_cut'] }),
    hold: () => fake.behave({ times: Number.POSITIVE_INFINITY, fate: { kind: 'running' } }),
    unknownJob: {
      id: randomUUID(),
      details: { statusUrl: `${unknown}/status`, responseUrl: unknown, cancelUrl: `${unknown}/cancel` },
    },
  };
}

describeEngine(createHarness, { kinds: GENERATION_KINDS, remembersJobs: true });
