import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SubmitAnswer } from '#api/adapters/generation-engines/generation-engine.ts';
import { EngineAwayError } from '#api/adapters/generation-engines/generation-engine.ts';
import { submitJob } from '#tests/api/adapters/generation-engines/engine-contract.ts';
import {
  type ComfyuiFixture,
  createComfyuiFixture,
  loseAnswer,
  orderPose,
  orderVideo,
  pollUntil,
} from '#tests/support/comfyui-fixture.ts';
import type { FakeComfyui } from '#tests/support/fake-comfyui.ts';
import { COMFYUI_VERSIONS } from '#tests/support/fake-comfyui-versions.ts';
import { until } from '#tests/support/until.ts';

let fixture: ComfyuiFixture;

afterEach(() => fixture.close());

/** A fixture of two servers. */
async function enter(
  ...[behaviour, options]: Parameters<typeof createComfyuiFixture>
): Promise<ComfyuiFixture & { first: FakeComfyui; second: FakeComfyui }> {
  fixture = await createComfyuiFixture({ count: 2, ...behaviour }, options);
  const [first, second] = fixture.servers;
  if (!first || !second) throw new Error('there are not two servers');
  return { ...fixture, first, second };
}

/** How many of our jobs each server has. */
function countJobs(): number[] {
  return fixture.servers.map(({ jobs }) => jobs.filter(({ clientId }) => clientId !== undefined).length);
}

test('the check names the servers that do not answer', async () => {
  const { engine, second } = await enter();
  await engine.check?.();
  await second.close();
  await expect(engine.check?.()).rejects.toThrow(`${second.url} does not answer`);
});

describe('the choice of a server', () => {
  test('takes the one with the shortest queue', async () => {
    const { engine, first, second } = await enter();
    for (let count = 0; count < 2; count++) first.addForeignJob();
    second.addForeignJob();
    await submitJob(engine, orderPose(0));
    expect(countJobs()).toEqual([0, 1]);
  });

  test('gives each server one job at a time and is busy afterwards', async () => {
    const { engine, first } = await enter();
    await submitJob(engine, orderPose(0));
    await submitJob(engine, orderPose(1));
    expect(await engine.submit(orderPose(2))).toEqual({ state: 'busy' });
    expect(countJobs()).toEqual([1, 1]);
    await first.finish();
    await submitJob(engine, orderPose(2));
    expect(countJobs()).toEqual([2, 1]);
  });

  test('holds for orders that come at the same moment', async () => {
    const { engine } = await enter();
    const answers = await Promise.all([0, 1, 2, 3, 4].map((position) => engine.submit(orderPose(position))));
    expect(answers.map(({ state }) => state).toSorted()).toEqual(['busy', 'busy', 'busy', 'submitted', 'submitted']);
    expect(countJobs()).toEqual([1, 1]);
  });

  test('holds for several processes, and after a restart', async () => {
    const { engine, startEngine } = await enter();
    await submitJob(engine, orderPose(0));
    const other = await startEngine();
    await submitJob(other, orderPose(1));
    expect(await other.submit(orderPose(2))).toEqual({ state: 'busy' });
    expect(countJobs()).toEqual([1, 1]);
  });
});

describe('a server that does not work', () => {
  test('is skipped, and used again when it is back', async () => {
    const { engine, first, logged } = await enter();
    await first.stop();
    await submitJob(engine, orderPose(0));
    expect(countJobs()).toEqual([0, 1]);
    expect(await engine.submit(orderPose(1))).toEqual({ state: 'busy' });
    await first.start();
    await until(() => submitJob(engine, orderPose(1)));
    expect(countJobs()).toEqual([1, 1]);
    expect(logged).toEqual(['warn ComfyUI server does not work', 'info ComfyUI server works again']);
  });

  test('is asked again only after a pause', async () => {
    const { engine, first } = await enter({}, { pauses: { firstRetryMs: 600_000, longestRetryMs: 600_000 } });
    first.behave({ proxyAnswer: 502 });
    await submitJob(engine, orderPose(0));
    const calls = first.calls.length;
    expect(await engine.submit(orderPose(1))).toEqual({ state: 'busy' });
    expect(first.calls.length).toBe(calls);
  });

  test.each([
    { what: 'at the upload', path: '/upload/image', fault: 'cut' },
    { what: 'with 504 at the upload', path: '/upload/image', fault: { status: 504 } },
    { what: 'with 502 at the start', path: '/prompt', fault: { status: 502 } },
  ] as const)('$what is replaced by the next one within the same submit', async ({ path, fault }) => {
    const { engine, first } = await enter({}, { pauses: { firstRetryMs: 600_000, longestRetryMs: 600_000 } });
    first.failNext(path, fault);
    await submitJob(engine, orderPose(0));
    expect(countJobs()).toEqual([0, 1]);
  });

  test('makes the submit throw when there is no other, and nothing is started', async () => {
    const { engine, servers } = await enter();
    for (const server of servers) await server.stop();
    await expect(engine.submit(orderPose(0))).rejects.toThrow('no ComfyUI server can be reached');
    for (const server of servers) await server.start();
    expect(countJobs()).toEqual([0, 0]);
  });

  test('and joins later with other models is a mistake of the operator', async () => {
    fixture = await createComfyuiFixture({ proxyAnswer: 502 });
    fixture.server.behave({ proxyAnswer: null, missingModels: ['wan2.2_vae.safetensors', 'wan_2.1_vae.safetensors'] });
    await until(async () => {
      const answer = await fixture.engine.submit(orderPose(0)).catch(() => null);
      expect(answer).toMatchObject({ state: 'refused', failure: { code: 'engine_misconfigured' } });
      expect(JSON.stringify(answer)).toContain('the server has no vae_name «wan_2.1_vae.safetensors»');
    });
  });
});

describe('a job whose server', () => {
  test('has restarted is unknown at the second look, and can be made again', async () => {
    const { engine, first } = await enter({}, { pauses: { forgottenAfterMs: 300 } });
    const order = orderVideo();
    const job = await submitJob(engine, order);
    first.restart();
    expect(await engine.poll(job, { positions: [0] })).toEqual({ state: 'queued' });
    await pollUntil(engine, job, 'unknown');
    await submitJob(engine, { ...order, runId: 'aaaaaaaa-0000-4000-8000-000000000000' });
  });

  test('is dead is unknown while another server works, so that it is made there', async () => {
    const { engine, first } = await enter();
    const job = await submitJob(engine, orderVideo());
    await first.stop();
    // So that nobody waits longer than that with the next look.
    const away = await engine.poll(job, { positions: [0] }).catch((error: unknown) => error);
    expect(away).toBeInstanceOf(EngineAwayError);
    expect((away as EngineAwayError).decidesInMs).toBeLessThanOrEqual(30_000);
    await pollUntil(engine, job, 'unknown');
    await submitJob(engine, orderVideo());
    expect(countJobs()).toEqual([1, 1]);
  });

  test('is dead is left half a minute after the first look, and each answer tells how much of that is left', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { engine, first } = await enter({}, { pauses: { deadAfterMs: 30_000 } });
    const job = await submitJob(engine, orderVideo());
    await first.stop();
    const left = async () => {
      const away = await engine.poll(job, { positions: [0] }).catch((error: unknown) => error);
      return away instanceof EngineAwayError ? away.decidesInMs : away;
    };
    expect(await left()).toBe(30_000);
    vi.setSystemTime(Date.now() + 22_000);
    expect(await left()).toBe(8_000);
    vi.setSystemTime(Date.now() + 8_000);
    expect(await left()).toEqual({ state: 'unknown' });
  });

  test('is dead is waited for when there is no other', async () => {
    const { engine, first, second } = await enter({}, { pauses: { deadAfterMs: 0 } });
    const job = await submitJob(engine, orderVideo());
    for (const server of [first, second]) await server.stop();
    await expect(engine.submit(orderVideo())).rejects.toThrow();
    for (let look = 0; look < 3; look++) await expect(engine.poll(job, { positions: [0] })).rejects.toThrow();
    await first.start();
    await pollUntil(engine, job, 'running');
  });

  test('has been removed from the settings is unknown', async () => {
    const { engine, startEngine, first, second } = await enter();
    const job = await submitJob(engine, orderVideo());
    expect(job.details.server).toBe(first.url);
    const next = await startEngine({ urls: [second.url] });
    const before = first.calls.length;
    expect(await next.poll(job, { positions: [0] })).toEqual({ state: 'unknown' });
    expect(await next.cancel?.(job)).toBe('runs_on');
    await next.dispose(job);
    expect(first.calls.length).toBe(before);
  });
});

describe('an interrupted submit', () => {
  test('that the server did not take, by its own words, is uncertain, because it may still be on its way', async () => {
    const { engine, first } = await enter();
    first.failNext('/prompt', { status: 504 });
    const answer: SubmitAnswer = await engine.submit(orderPose(0));
    expect(answer).toMatchObject({ state: 'uncertain', detail: expect.stringContaining('/prompt') });
    expect(countJobs()).toEqual([0, 0]);
  });

  test.each(COMFYUI_VERSIONS)('is found at once when only the answer was lost (ComfyUI %s)', async (version) => {
    const { engine, first } = await enter({ version });
    first.failNext('/prompt', 'lose_answer');
    const job = await submitJob(engine, orderPose(0));
    expect(job.id).toBe(first.jobs[0]?.id);
    expect(countJobs()).toEqual([1, 0]);
    await pollUntil(engine, job, 'preparing');
  });

  test.each(COMFYUI_VERSIONS)('is found by its run, waiting, running and done (ComfyUI %s)', async (version) => {
    const { first, startEngine } = await enter({ version });
    const order = orderPose(2);
    first.addForeignJob();
    fixture.servers[1]?.addForeignJob();
    loseAnswer(first);
    expect(await fixture.engine.submit(order)).toMatchObject({ state: 'uncertain' });
    const engine = await startEngine();
    const waiting = await engine.findJob?.(order);
    expect(waiting?.id).toBe(first.jobs.at(-1)?.id);
    expect(waiting?.id === order.runId).toBe(version !== '0.3.29');
    await first.finish();
    await until(() => expect(first.jobs.at(-1)?.state).toBe('running'));
    expect(await engine.findJob?.(order)).toEqual(waiting);
    await first.finish();
    const done = await engine.findJob?.(order);
    expect(done).toEqual(waiting);
    const report = await pollUntil(engine, done ?? { id: '', details: {} }, 'completed', [2]);
    expect(report.outputs.map(({ position }) => position)).toEqual([2]);
  });

  test('that started nothing is not found, and a server that is away does not hinder the search', async () => {
    const { engine, second, first } = await enter();
    await second.stop();
    expect(await engine.findJob?.(orderPose(0))).toBeNull();
    await first.stop();
    await expect(engine.findJob?.(orderPose(0))).rejects.toThrow();
  });
});
