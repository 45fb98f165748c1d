import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { EngineFailure, GenerationOrder } from '#api/adapters/generation-engines/generation-engine.ts';
import { submitJob } from '#tests/api/adapters/generation-engines/engine-contract.ts';
import {
  type ComfyuiFixture,
  createComfyuiFixture,
  orderPose,
  orderVideo,
  pollUntil,
  SHIPPED_WORKFLOWS,
} from '#tests/support/comfyui-fixture.ts';
import type { FakeEnd } from '#tests/support/fake-comfyui-runner.ts';
import { COMFYUI_VERSIONS } from '#tests/support/fake-comfyui-versions.ts';
import { listen } from '#tests/support/listen.ts';
import { until } from '#tests/support/until.ts';

let fixture: ComfyuiFixture;

afterEach(() => fixture.close());

async function enter(...given: Parameters<typeof createComfyuiFixture>): Promise<ComfyuiFixture> {
  fixture = await createComfyuiFixture(...given);
  return fixture;
}

/** The options with which an engine has only the shipped template of poses, changed. */
async function changePose(change: (shipped: string) => string) {
  const workflowsDir = await mkdtemp(path.join(tmpdir(), 'podium-workflows-'));
  onTestFinished(() => rm(workflowsDir, { recursive: true }));
  const shipped = await readFile(path.join(SHIPPED_WORKFLOWS, 'photosession.1.json'), 'utf8');
  await writeFile(path.join(workflowsDir, 'photosession.1.json'), change(shipped));
  return { workflowsDir };
}

/** Lets the order be executed with this end. */
async function failWith(order: GenerationOrder, end: FakeEnd): Promise<EngineFailure> {
  fixture.server.endNext(end);
  const job = await submitJob(fixture.engine, order);
  await fixture.server.finish();
  const { failure } = await pollUntil(fixture.engine, job, 'failed');
  return failure;
}

async function refusalOf(order: GenerationOrder): Promise<EngineFailure> {
  const answer = await fixture.engine.submit(order);
  if (answer.state !== 'refused') throw new Error(JSON.stringify(answer));
  return answer.failure;
}

describe('a GPU that runs out of memory', () => {
  test('gets the same order once more in a smaller size, and then no more', async () => {
    await enter();
    const order = orderVideo();
    const first = await failWith(order, { kind: 'out_of_memory' });
    expect(first).toMatchObject({ code: 'engine_error', shouldRetry: true });
    expect(first.detail).toContain('torch.OutOfMemoryError');
    const second = await failWith(
      { ...order, runId: 'aaaaaaaa-0000-4000-8000-000000000000' },
      { kind: 'out_of_memory' },
    );
    expect(second).toMatchObject({ code: 'engine_error', shouldRetry: false });
    const [large, small] = fixture.server.jobs.map(({ workflow }) => Number(workflow['12']?.inputs.width));
    expect(small).toBeLessThan((large ?? 0) * 0.8);
    expect((small ?? 1) % 16).toBe(0);
  });

  test('gets other orders in full size', async () => {
    const { server, engine } = await enter();
    await failWith(orderVideo(), { kind: 'out_of_memory' });
    await submitJob(engine, orderVideo());
    const [failed, next] = server.jobs.map(({ workflow }) => workflow['12']?.inputs.width);
    expect(next).toBe(failed);
  });

  test('ends the order at once where the template leaves the size to its nodes', async () => {
    await enter({}, await changePose((shipped) => shipped.replace('IN:WIDTH IN:HEIGHT', 'Size')));
    expect(await failWith(orderPose(0), { kind: 'out_of_memory' })).toMatchObject({ shouldRetry: false });
  });
});

test('a job that fails over a fault of a node is told by the first line of the fault, which names no folder', async () => {
  await enter();
  const message = 'CUDA error\n at /srv/x.py';
  const end: FakeEnd = { kind: 'error', nodeType: 'KSampler', exceptionType: 'RuntimeError', message };
  expect(await failWith(orderPose(0), end)).toMatchObject({ detail: 'KSampler: RuntimeError: CUDA error' });
});

describe('an order that the server does not take', () => {
  test('because a model has been removed is a mistake of the operator, with the words of the server', async () => {
    const { server } = await enter();
    server.behave({ missingModels: ['qwen_image_vae.safetensors'] });
    const failure = await refusalOf(orderPose(0));
    expect(failure).toMatchObject({ code: 'engine_misconfigured', shouldRetry: false });
    expect(failure.detail).toMatch(/photosession\.1\.json: .*node 6: value_not_in_list \(vae_name: 'qwen_image_vae/);
    expect(server.jobs).toEqual([]);
  });

  test.each(COMFYUI_VERSIONS)(
    'because a node has been removed is a mistake of the operator (ComfyUI %s)',
    async (version) => {
      const { server } = await enter({ version });
      server.behave({ missingNodes: ['CFGNorm'] });
      const failure = await refusalOf(orderPose(0));
      expect(failure).toMatchObject({ code: 'engine_misconfigured', shouldRetry: false });
      expect(failure.detail).toMatch(/photosession\.1\.json: .*(missing_node_type|invalid_prompt), .*CFGNorm/);
      expect(server.jobs).toEqual([]);
    },
  );

  test('because its result is left out is refused, and what the server makes instead is stopped', async () => {
    const preview = { class_type: 'PreviewImage', inputs: { images: ['11', 0] } };
    const options = await changePose((shipped) => JSON.stringify({ ...JSON.parse(shipped), '90': preview }));
    const { server } = await enter({}, options);
    server.behave({ missingModels: ['qwen_image_vae.safetensors'] });
    expect(await refusalOf(orderPose(0))).toMatchObject({ code: 'engine_misconfigured' });
    await until(() => expect(server.jobs.map(({ state }) => state)).toEqual(['ended']));
  });
});

describe('the token', () => {
  const TOKEN = 'a-token-of-the-proxy';

  test('goes with every call and with the websocket', async () => {
    const { engine, server } = await enter({ token: TOKEN }, { token: TOKEN });
    const job = await submitJob(engine, orderPose(0));
    await until(() => expect(server.countListeners()).toBe(1));
    await server.finish();
    await pollUntil(engine, job, 'completed');
    expect(server.calls.map(({ path }) => path)).toContain('/ws');
    expect(new Set(server.calls.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${TOKEN}`]));
  });

  test.each([401, 403] as const)('that the proxy refuses with %s is a mistake of the operator', async (proxyAnswer) => {
    const { engine, server, logged } = await enter();
    const job = await submitJob(engine, orderPose(0));
    await until(() => expect(server.countListeners()).toBe(1));
    server.behave({ proxyAnswer });
    const failure = await refusalOf(orderPose(1));
    expect(failure).toMatchObject({ code: 'engine_misconfigured', shouldRetry: false });
    expect(failure.detail).toContain(`answered ${proxyAnswer}`);
    expect(failure.detail).not.toContain('http');
    expect(logged).toEqual(['warn ComfyUI server does not work']);
    await expect(engine.poll(job, { positions: [0] })).rejects.toThrow();
    server.behave({ proxyAnswer: null });
    await pollUntil(engine, job, 'preparing');
  });

  test('never follows a redirect to another host', async () => {
    const seen: unknown[] = [];
    const serve = async (answer: RequestListener) => {
      const { port, close } = await listen(createServer(answer));
      onTestFinished(close);
      return `http://127.0.0.1:${port}`;
    };
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    });
    const redirecting = await serve((_request, response) => {
      response.writeHead(307, { location: `${other}/prompt` }).end();
    });
    await enter();
    const engine = await fixture.startEngine({ urls: [redirecting], token: TOKEN });
    await expect(engine.submit(orderPose(0))).rejects.toThrow();
    expect(seen).toEqual([]);
  });
});

test('a server that says nothing in time is told as a time-out', async () => {
  const { engine, server } = await enter({}, { pauses: { callTimeoutMs: 50 } });
  const job = await submitJob(engine, orderPose(0));
  server.failNext('/api/jobs', 'hang');
  await expect(engine.poll(job, { positions: [0] })).rejects.toThrow(/ did not answer \(time-out\)$/);
});

test('a template whose marked node saves another kind of file is a mistake of the operator', async () => {
  const { engine, server } = await enter();
  const job = await submitJob(engine, orderVideo());
  Object.assign(server.jobs[0]?.workflow['17'] ?? {}, { class_type: 'SaveImage' });
  await server.finish();
  const { failure } = await pollUntil(engine, job, 'failed');
  expect(failure).toMatchObject({ code: 'engine_misconfigured' });
  expect(failure.detail).toBe('the node marked OUT:RESULT (17) saved no file of the type mp4');
});

test('a template whose marked node only shows the picture is a mistake of the operator', async () => {
  const { engine, server } = await enter();
  const job = await submitJob(engine, orderPose(0));
  Object.assign(server.jobs[0]?.workflow['15'] ?? {}, { class_type: 'PreviewImage' });
  await server.finish();
  const { failure } = await pollUntil(engine, job, 'failed');
  expect(failure).toMatchObject({ code: 'engine_misconfigured', shouldRetry: false });
});

test('a video that another node than SaveVideo has saved is found, too', async () => {
  const { engine, server } = await enter();
  const job = await submitJob(engine, orderVideo());
  Object.assign(server.jobs[0]?.workflow['17'] ?? {}, { class_type: 'VHS_VideoCombine' });
  await server.finish();
  const { outputs } = await pollUntil(engine, job, 'completed');
  expect(outputs[0]?.contentType).toBe('video/mp4');
});
