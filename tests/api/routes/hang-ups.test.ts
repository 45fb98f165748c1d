import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createImageResult, createPayment, createVideoResult } from '#tests/support/factories.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { until } from '#tests/support/until.ts';
import { registerUnverified } from '#tests/support/users.ts';

const FORM_BEGINNING = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';

/** A server that listens, with the lines of its log. It is closed when the test is over. */
async function listen() {
  const lines: string[] = [];
  const testApp = await createTestApp({ onLogLine: (line) => lines.push(line) });
  onTestFinished(() => testApp.close());
  const user = await registerUnverified(testApp);
  await createPayment(testApp.app.db, user.account.id);
  lines.length = 0;
  const address = await testApp.server.listen({ port: 0, host: '127.0.0.1' });
  return { ...testApp, user, lines, address };
}

test.each(['an archive', 'a video'])('a caller who hangs up in the middle of %s is no error', async (what) => {
  const { app, server, user, lines, address } = await listen();
  const isVideo = what === 'a video';
  const result = isVideo
    ? await createVideoResult(app, user.account.id)
    : await createImageResult(app, user.account.id);
  // More than the buffers of a connection hold.
  await app.storage.put(result.originalKey, Buffer.alloc(30_000_000), result.contentType);
  await app.db.result.update({ where: { id: result.id }, data: { bytes: 30_000_000 } });
  const untilNoAnswerIsOpen = watchAnswers(server);
  const path = isVideo ? `/api/video-proxy/${result.generationId}` : `/api/gallery/archive?ids=${result.id}`;
  // The caller hangs up before the answer begins as well as after.
  for (const delayMs of [0, 10, 20, 40, 80, 160, 320]) {
    const hangUp = new AbortController();
    const answer = fetch(address + path, { headers: { cookie: user.cookie }, signal: hangUp.signal }).then((begun) =>
      begun.body?.getReader().read(),
    );
    await Promise.race([answer.catch(() => undefined), wait(delayMs)]);
    hangUp.abort();
  }
  await untilNoAnswerIsOpen();
  await server.close();
  expectNoComplaints(lines);
});

test('a caller who hangs up in the middle of an upload is no error', async () => {
  const { server, user, lines, address } = await listen();
  const untilNoAnswerIsOpen = watchAnswers(server);
  for (const delayMs of [0, 20, 100, 300]) {
    const hangUp = new AbortController();
    // A photo that never ends.
    const body = new ReadableStream<Uint8Array>({
      start: (form) => form.enqueue(Buffer.from(FORM_BEGINNING)),
      async pull(form) {
        await wait(10);
        form.enqueue(new Uint8Array(10_000));
      },
    });
    const headers = { cookie: user.cookie, 'content-type': 'multipart/form-data; boundary=b' };
    const options = { method: 'POST', headers, body, duplex: 'half', signal: hangUp.signal } as const;
    const answer = fetch(`${address}/api/upload`, options);
    await Promise.race([answer.catch(() => undefined), wait(delayMs)]);
    hangUp.abort();
  }
  await untilNoAnswerIsOpen();
  await server.close();
  expectNoComplaints(lines);
});

/** Returns what waits until the server has noticed the end of each of its answers. */
function watchAnswers({ server }: FastifyInstance): () => Promise<void> {
  let open = 0;
  server.on('request', (_, response: ServerResponse) => {
    open += 1;
    response.once('close', () => (open -= 1));
  });
  return () => until(() => expect(open).toBe(0));
}

function expectNoComplaints(lines: string[]): void {
  const complaints = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error' || level === 'warn');
  // On a busy machine anything may be logged as slow.
  expect(complaints.filter(({ msg }) => !['slow request', 'slow operation'].includes(msg))).toEqual([]);
}

test('an export whose caller hangs up is given up, and that is no error', async () => {
  const { app, user, lines, address } = await listen();
  const video = await createVideoResult(app, user.account.id, { width: 720, height: 960, seconds: 4 });
  const { videoEncoder } = app;
  const transform = videoEncoder.transform.bind(videoEncoder);
  const begun = Promise.withResolvers<void>();
  vi.spyOn(videoEncoder, 'transform').mockImplementationOnce(async (request) => {
    begun.resolve();
    // The work does not begin before the caller is gone.
    await new Promise((resolve) => request.signal?.addEventListener('abort', resolve));
    return transform(request);
  });
  const hangUp = new AbortController();
  const answer = fetch(`${address}/api/results/${video.generationId}/export?fix=loop_10s`, {
    headers: { cookie: user.cookie },
    signal: hangUp.signal,
  });
  const work = path.join(app.config.dataDir, 'work');
  await begun.promise;
  expect(await readdir(work)).toHaveLength(1);
  hangUp.abort();
  await expect(answer).rejects.toThrow();
  await vi.waitFor(() => expect(lines.join('')).toContain('its caller went away'), 60_000);
  expect(await readdir(work)).toEqual([]);
  expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')).toEqual([]);
});
