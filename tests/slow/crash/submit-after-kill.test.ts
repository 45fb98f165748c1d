import { expect, test, vi } from 'vitest';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { createFakeComfyui } from '#tests/support/fake-comfyui.ts';
import { startServer, Visitor } from '#tests/support/running-server.ts';

/** From the start of the program until the order's job is followed. */
const PROMISED_MS = 60_000;
/** For what comes before and after, on a busy machine. */
const WAIT = { timeout: 300_000, interval: 50 };

test.each([
  { what: 'before the engine has the order', path: '/upload/image', fault: 'hang' },
  { what: 'after the engine has taken it', path: '/prompt', fault: 'keep_answer' },
] as const)(
  'a submit that a kill interrupts $what is resolved within a minute of the next start',
  {
    timeout: 1_200_000,
  },
  async ({ path: interrupted, fault }) => {
    const comfyui = await createFakeComfyui();
    const listOwnJobs = () => comfyui.jobs.filter(({ clientId }) => clientId !== undefined);
    let server = await startServer({ env: { ENGINE: 'comfyui', COMFYUI_URLS: comfyui.url } });
    try {
      const visitor = new Visitor(server);
      await visitor.register('interrupted@example.com');
      const imageId = await visitor.uploadPhoto(await drawProductPhoto('person', { width: 600, height: 800 }));
      comfyui.failNext(interrupted, fault);
      const { generationId } = await visitor.json<{ generationId: string }>('POST', '/api/generate', { imageId });
      await vi.waitFor(() => expect(comfyui.calls.map((call) => call.path)).toContain(interrupted), WAIT);
      await server.kill();
      server = await server.startAgain();
      const startedAt = performance.now();
      const getStatus = async () =>
        (await visitor.json<{ status: string }>('GET', `/api/status?generationId=${generationId}`)).status;
      // It listens to the progress of a job that it knows.
      await vi.waitFor(() => expect(comfyui.countListeners()).toBe(1), { ...WAIT, timeout: PROMISED_MS });
      console.log(`resolved ${Math.round((performance.now() - startedAt) / 1000)} s after the start`);
      await comfyui.finish();
      await vi.waitFor(async () => expect(await getStatus()).toBe('completed'), WAIT);
      expect(listOwnJobs()).toHaveLength(1);
      expect(await visitor.getBalance()).toBe(1);
    } finally {
      await server.stop();
      await comfyui.close();
    }
  },
);
