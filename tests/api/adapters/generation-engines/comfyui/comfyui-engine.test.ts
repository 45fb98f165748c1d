import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import type { EngineReport } from '#api/adapters/generation-engines/generation-engine.ts';
import { VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';
import { submitJob } from '#tests/api/adapters/generation-engines/engine-contract.ts';
import {
  type ComfyuiFixture,
  createComfyuiFixture,
  download,
  orderModelChange,
  orderPose,
  orderVideo,
  pollUntil,
} from '#tests/support/comfyui-fixture.ts';
import { COMFYUI_VERSIONS } from '#tests/support/fake-comfyui-versions.ts';
import { until } from '#tests/support/until.ts';

let fixture: ComfyuiFixture;

afterEach(() => fixture.close());

async function enter(...given: Parameters<typeof createComfyuiFixture>): Promise<ComfyuiFixture> {
  fixture = await createComfyuiFixture(...given);
  return fixture;
}

/** The inputs of the node with this mark in the job that was submitted last. */
function filledNode(mark: string): Record<string, unknown> {
  const { workflow } = fixture.server.jobs.at(-1) ?? { workflow: {} };
  const node = Object.values(workflow).find(({ _meta }) => _meta?.title?.split(' ').includes(mark));
  if (!node) throw new Error(`no node has the mark ${mark}`);
  return node.inputs;
}

describe('a video', () => {
  test('is made in the ordered shape, with 4n+1 frames for five seconds, and streamed', async () => {
    const { engine, server } = await enter();
    const order = orderVideo({ aspectRatio: '9:16' });
    const job = await submitJob(engine, order);
    const { width, height, length } = filledNode('IN:WIDTH') as { width: number; height: number; length: number };
    expect(length).toBe(81);
    expect([width % 16, height % 16]).toEqual([0, 0]);
    expect(width / height).toBeCloseTo(9 / 16, 1);
    expect(width * height).toBeGreaterThan(640 * 832 * 0.95);
    expect(width * height).toBeLessThan(640 * 832 * 1.05);
    await server.finish();
    const { outputs } = await pollUntil(engine, job, 'completed');
    expect(outputs.map(({ contentType, position }) => [contentType, position])).toEqual([['video/mp4', 0]]);
    const content = await download(outputs);
    expect(content.subarray(4, 8).toString()).toBe('ftyp');
  });

  test('starts from a photo in exactly its own size and shape, so that the node cuts nothing off', async () => {
    const { engine, server } = await enter();
    for (const aspectRatio of ['1:1', '9:16', '3:4'] as const) {
      const job = await submitJob(engine, orderVideo({ aspectRatio }));
      const photo = await sharp(server.uploads.get(String(filledNode('IN:IMAGE_1').image))).metadata();
      const { width, height } = VIDEO_FRAME_SIZES[aspectRatio];
      expect(photo.width / photo.height).toBeCloseTo(width / height, 1);
      expect([photo.width, photo.height]).toEqual([filledNode('IN:WIDTH').width, filledNode('IN:WIDTH').height]);
      await engine.dispose(job);
      await until(() => expect(server.jobs.at(-1)?.state).toBe('ended'));
    }
  });

  test('says what to do in the words of the order', async () => {
    const { engine } = await enter();
    await submitJob(engine, orderVideo({ prompt: 'Она машет рукой' }));
    expect(filledNode('IN:PROMPT').text).toMatch(/^Она машет рукой\. .*The garment stays exactly/);
  });
});

describe('pictures', () => {
  test.each([
    { what: 'another person before another background', changes: {}, pictures: 3 },
    { what: 'another person', changes: { background: null }, pictures: 2 },
    { what: 'another background', changes: { model: null }, pictures: 2 },
  ])('of $what come from the template with as many pictures', async ({ changes, pictures }) => {
    const { engine, server } = await enter();
    const order = orderModelChange(changes);
    expect(engine.describeModel(order)).toBe(`model_change.${pictures}.json`);
    const job = await submitJob(engine, order);
    const loaders = Object.values(server.jobs[0]?.workflow ?? {}).filter(
      ({ class_type }) => class_type === 'LoadImage',
    );
    expect(loaders.filter(({ inputs }) => server.uploads.has(String(inputs.image)))).toHaveLength(pictures);
    expect(filledNode('IN:PROMPT').prompt).toMatch(/Picture 1 shows the product/);
    await server.finish();
    const { outputs } = await pollUntil(engine, job, 'completed');
    const picture = await sharp(await download(outputs)).metadata();
    expect(picture).toMatchObject({ format: 'png', width: 912, height: 1216 });
  });

  test('of a photo session are jobs of their own, each with another pose', async () => {
    const { engine, server } = await enter({ count: 2 });
    const jobs = [await submitJob(engine, orderPose(0)), await submitJob(engine, orderPose(3))];
    const words = fixture.servers.flatMap(({ jobs }) => jobs).map(({ workflow }) => workflow['7']?.inputs.prompt);
    expect(new Set(words).size).toBe(2);
    for (const fake of fixture.servers) await fake.finish();
    const report = await pollUntil(engine, jobs[1] ?? { id: '', details: {} }, 'completed', [3]);
    expect(report.outputs.map(({ position }) => position)).toEqual([3]);
    expect(server.jobs).toHaveLength(1);
  });
});

describe('each job', () => {
  test('has a seed and a file prefix of its own, so that the server never repeats an old result', async () => {
    const { engine, server } = await enter();
    const order = orderPose(0);
    const seen: unknown[] = [];
    for (const runId of [order.runId, 'aaaaaaaa-0000-4000-8000-000000000000']) {
      const job = await submitJob(engine, { ...order, runId });
      seen.push(filledNode('IN:SEED').seed, filledNode('OUT:RESULT').filename_prefix);
      await server.finish();
      await pollUntil(engine, job, 'completed');
    }
    expect(new Set(seen).size).toBe(4);
    expect(filledNode('OUT:RESULT').filename_prefix).toBe('podium/aaaaaaaa-0000-4000-8000-000000000000');
  });

  test('uses the names that the server gave to the uploaded pictures', async () => {
    const { engine, server } = await enter();
    const order = orderPose(0);
    server.uploads.set(`podium/${order.runId}-1.jpg`, Buffer.from('of somebody else'));
    await submitJob(engine, order);
    expect(filledNode('IN:IMAGE_1').image).toBe(`podium/${order.runId}-1 (1).jpg`);
  });

  test('takes the result from the marked node, whatever else the workflow saves', async () => {
    const { engine, server } = await enter();
    const job = await submitJob(engine, orderPose(0));
    const [made] = server.jobs;
    Object.assign(made?.workflow ?? {}, { '0': { class_type: 'SaveImage', inputs: { images: ['14', 0] } } });
    made?.outputs.unshift('0');
    await server.finish();
    const { outputs } = await pollUntil(engine, job, 'completed');
    expect([...server.files.keys()]).toEqual(['ComfyUI_temp_00001_.png', `podium/${job.id}_00001_.png`]);
    server.files.delete('ComfyUI_temp_00001_.png');
    expect(await download(outputs)).toEqual(server.files.get(`podium/${job.id}_00001_.png`));
  });

  test('sends neither an Origin nor, without a token, any authorization', async () => {
    const { engine, server } = await enter();
    await submitJob(engine, orderPose(0));
    await until(() => expect(server.countListeners()).toBe(1));
    expect(server.calls.filter(({ headers }) => headers.origin ?? headers.authorization)).toEqual([]);
  });
});

describe('progress', () => {
  test('comes by websocket, adds up both samplers, never falls and leaves a rest for saving', async () => {
    const { engine, server } = await enter();
    const job = await submitJob(engine, orderVideo());
    await until(() => expect(server.countListeners()).toBe(1));
    expect(await pollUntil(engine, job, 'preparing')).toEqual({ state: 'preparing', share: null });
    const shares: (number | null)[] = [];
    for (const wanted of [0.225, 0.45, 0.675, 0.9]) {
      server.step();
      await until(async () => {
        const report = (await engine.poll(job, { positions: [0] })) as EngineReport & { share: number | null };
        shares.push(report.share);
        expect(report.share).toBeCloseTo(wanted);
      });
    }
    const known = shares.filter((share) => share !== null);
    expect(known).toEqual(known.toSorted((one, other) => one - other));
    await pollUntil(engine, job, 'completed');
    await until(() => expect(server.countListeners()).toBe(0));
  });

  test('of an older server, which does not sum it up, is the same', async () => {
    const { engine, server } = await enter({ version: '0.3.29' });
    const job = await submitJob(engine, orderVideo());
    await until(() => expect(server.countListeners()).toBe(1));
    server.step(3);
    await until(async () =>
      expect(await engine.poll(job, { positions: [0] })).toEqual({ state: 'running', share: expect.closeTo(0.675) }),
    );
  });

  test('is unknown without a websocket, and the job is made nevertheless', async () => {
    const { engine, server } = await enter({ hasWebSocket: false });
    const job = await submitJob(engine, orderVideo());
    server.step();
    expect(await pollUntil(engine, job, 'running')).toEqual({ state: 'running', share: null });
    await server.finish();
    await pollUntil(engine, job, 'completed');
  });

  test('goes on after a restart of our process', async () => {
    const { engine, server, startEngine } = await enter();
    const job = await submitJob(engine, orderVideo());
    await engine.close();
    const next = await startEngine();
    await next.poll(job, { positions: [0] });
    await until(() => expect(server.countListeners()).toBe(1));
    server.step(2);
    await until(async () =>
      expect(await next.poll(job, { positions: [0] })).toEqual({ state: 'running', share: 0.45 }),
    );
  });
});

describe('the end of a job', () => {
  test('is seen when the job moves from the queue to the history between two questions', async () => {
    const { engine, server } = await enter({ version: '0.3.29' });
    const job = await submitJob(engine, orderPose(0));
    server.beforeNext('/queue', server.finish);
    expect(await engine.poll(job, { positions: [0] })).toMatchObject({ state: 'completed' });
  });

  test('a cancelled job is interrupted while it runs, and nobody else is', async () => {
    const { engine, server } = await enter({ version: '0.3.29' });
    const foreign = server.addForeignJob();
    const job = await submitJob(engine, orderPose(0));
    expect(await pollUntil(engine, job, 'queued')).toEqual({ state: 'queued' });
    expect(await engine.cancel?.(job)).toBe('cancelled');
    expect(server.jobs.map(({ id, state }) => [id, state])).toEqual([
      [foreign, 'running'],
      [job.id, 'deleted'],
    ]);
    expect(server.calls.map(({ path }) => path)).not.toContain('/interrupt');
    await server.finish();
    const second = await submitJob(engine, orderPose(1));
    await pollUntil(engine, second, 'preparing');
    expect(await engine.cancel?.(second)).toBe('cancelled');
    await until(() => expect(server.jobs.at(-1)?.state).toBe('ended'));
    const report = await engine.poll(second, { positions: [1] });
    expect(report).toMatchObject({ state: 'failed', failure: { code: 'job_cancelled', shouldRetry: true } });
  });

  test('a finished job cannot be cancelled any more', async () => {
    const { engine, server } = await enter();
    const job = await submitJob(engine, orderPose(0));
    await server.finish();
    expect(await engine.cancel?.(job)).toBe('runs_on');
    await pollUntil(engine, job, 'completed');
  });

  test('a disposed job is forgotten by the server, also when the proxy forbids that', async () => {
    const { engine, server } = await enter();
    const job = await submitJob(engine, orderPose(0));
    await server.finish();
    server.failNext('/history', { status: 403 });
    await engine.dispose(job);
    await pollUntil(engine, job, 'completed');
    await engine.dispose(job);
    await pollUntil(engine, job, 'unknown');
    await until(() => expect(server.countListeners()).toBe(0));
  });

  test.each(COMFYUI_VERSIONS)('nothing of a cancelled job stays in the history of ComfyUI %s', async (version) => {
    const { engine, server } = await enter({ version });
    const job = await submitJob(engine, orderVideo());
    await pollUntil(engine, job, 'preparing');
    expect(await engine.cancel?.(job)).toBe('cancelled');
    await engine.dispose(job);
    expect(server.jobs[0]?.state).toBe('ended');
    expect(server.listRemembered()).toEqual([]);
  });

  test('a job that runs long after its stop is forgotten when it ends, and nobody waits for that', async () => {
    const { engine, server } = await enter({ endsSteps: true }, { pauses: { stopLookMs: 1 } });
    const job = await submitJob(engine, orderVideo());
    await pollUntil(engine, job, 'preparing');
    expect(await engine.cancel?.(job)).toBe('cancelled');
    await engine.dispose(job);
    expect(server.jobs[0]?.state).toBe('running');
    server.step();
    await until(() => expect(server.jobs[0]?.state).toBe('ended'));
    await until(() => expect(server.listRemembered()).toEqual([]));
  });

  test('a job whose file the operator has removed is lost, so that it is made again', async () => {
    const { engine, server } = await enter();
    const job = await submitJob(engine, orderPose(0));
    await server.finish();
    server.files.clear();
    const { failure } = await pollUntil(engine, job, 'failed');
    expect(failure).toMatchObject({ code: 'job_lost', shouldRetry: true });
  });

  test('a proxy that lets no HEAD through does not lose a result', async () => {
    const { engine, server } = await enter();
    const job = await submitJob(engine, orderPose(0));
    await server.finish();
    server.failNext('/view', { status: 405 });
    await pollUntil(engine, job, 'completed');
  });

  test('a download that is cut is an error, and can be repeated', async () => {
    const { engine, server } = await enter();
    const job = await submitJob(engine, orderPose(0));
    await server.finish();
    const { outputs } = await pollUntil(engine, job, 'completed');
    server.behave({ cutsDownloads: true });
    await expect(download(outputs)).rejects.toThrow();
    server.behave({ cutsDownloads: false });
    expect((await download(outputs)).length).toBeGreaterThan(1000);
  });
});
