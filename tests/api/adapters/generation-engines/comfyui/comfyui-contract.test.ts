import { randomUUID } from 'node:crypto';
import { describe, onTestFinished } from 'vitest';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import {
  describeEngine,
  describeJobs,
  type EngineHarness,
  type FailureCase,
} from '#tests/api/adapters/generation-engines/engine-contract.ts';
import { createComfyuiFixture, loseAnswer } from '#tests/support/comfyui-fixture.ts';
import type { FakeComfyui } from '#tests/support/fake-comfyui.ts';
import type { FakeEnd } from '#tests/support/fake-comfyui-runner.ts';
import { COMFYUI_VERSIONS, type ComfyuiVersion } from '#tests/support/fake-comfyui-versions.ts';

/** `onAll`: the servers behave alike, because the engine may choose any. */
function listFailures(onAll: (change: (server: FakeComfyui) => void) => void): FailureCase[] {
  const ending = (what: string, end: FakeEnd) => ({
    what,
    cause: () => onAll(({ endNext }) => endNext(end)),
  });
  const error = (nodeType: string, exceptionType: string): FakeEnd => ({
    kind: 'error',
    nodeType,
    exceptionType,
    message: 'something',
  });
  const behaving = (what: string, changes: Parameters<FakeComfyui['behave']>[0]) => ({
    what,
    isRefused: true,
    cause: () => onAll(({ behave }) => behave(changes)),
  });
  const again = (code: FailureCase['code']) => ({ code, shouldRetry: true });
  const final = (code: FailureCase['code']) => ({ code, shouldRetry: false });
  return [
    { ...ending('out of memory', { kind: 'out_of_memory' }), ...again('engine_error') },
    { ...ending('an interruption', { kind: 'interrupted' }), ...again('job_cancelled') },
    { ...ending('a fault of a node', error('KSampler', 'RuntimeError')), ...again('engine_error') },
    { ...ending('a broken model', error('VAELoader', 'SafetensorError')), ...final('engine_misconfigured') },
    { ...ending('a model of another kind', error('UNETLoader', 'RuntimeError')), ...final('engine_misconfigured') },
    { ...ending('a missing file', error('VAEDecode', 'FileNotFoundError')), ...final('engine_misconfigured') },
    { ...ending('a photo', error('LoadImage', 'PIL.UnidentifiedImageError')), ...final('photo_unsuitable') },
    { ...behaving('a wrong token', { proxyAnswer: 401 }), ...final('engine_misconfigured') },
    { ...behaving('a forbidden address', { proxyAnswer: 403 }), ...final('engine_misconfigured') },
    {
      ...behaving('a missing model', { missingModels: ['wan_2.1_vae.safetensors'] }),
      isOfVideo: true,
      ...final('engine_misconfigured'),
    },
    { ...behaving('a small limit of the proxy', { maxBody: 500 }), ...final('engine_misconfigured') },
  ];
}

async function createHarness(version: ComfyuiVersion): Promise<EngineHarness> {
  const fixture = await createComfyuiFixture({ version, count: 2, stepMs: 1 });
  onTestFinished(() => fixture.close());
  const { servers } = fixture;
  const onAll = (change: (server: FakeComfyui) => void) => {
    for (const server of servers) change(server);
  };
  return {
    createEngine: () => fixture.startEngine(),
    countTaken: () => servers.reduce((sum, { jobs }) => sum + jobs.length, 0),
    failures: listFailures(onAll),
    disconnect: async () => {
      for (const server of servers) await server.stop();
    },
    loseNextAnswer: () => onAll(loseAnswer),
    hold: () => onAll(({ behave }) => behave({ stepMs: null })),
    unknownJob: { id: randomUUID(), details: { server: 'http://removed.example:8188' } },
  };
}

const FACTS = { kinds: GENERATION_KINDS, remembersJobs: true };
const OLDEST_AND_NEWEST = [COMFYUI_VERSIONS.at(0)!, COMFYUI_VERSIONS.at(-1)!];

describe.each(OLDEST_AND_NEWEST)('ComfyUI %s', (version) => {
  describeEngine(() => createHarness(version), FACTS);
});

// The versions between have other ids of jobs, and other ways to find and interrupt them. All else is as in one of these.
describe.each(COMFYUI_VERSIONS.slice(1, -1))('ComfyUI %s', (version) => {
  describeJobs(() => createHarness(version), FACTS);
});
