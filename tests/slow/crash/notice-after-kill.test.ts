import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { pushMessage } from '#shared/contract/push-message.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { startFakePushService } from '#tests/support/fake-push-service.ts';
import { changeForm, startServer, Visitor } from '#tests/support/running-server.ts';

/** Enough for a render on a busy machine, and for the takeover of a killed process's job. */
const WAIT = { timeout: 300_000, interval: 50 };

test('a person gets the notice of a result after the next start, wherever the kill fell', {
  timeout: 1_800_000,
}, async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-crash-'));
  const service = await startFakePushService();
  const certificateFile = path.join(dataDir, 'push.pem');
  await writeFile(certificateFile, service.certificate);
  let server = await startServer({
    dataDir,
    env: { PUSH_HOSTS: service.host, NODE_EXTRA_CA_CERTS: certificateFile },
  });
  try {
    const visitor = new Visitor(server);
    await visitor.register('told@example.com');
    await visitor.json('POST', '/api/notifications/devices', service.subscribe());
    const imageId = await visitor.uploadPhoto(await drawProductPhoto('garment', { width: 600, height: 800 }));
    const changeModel = async () =>
      (await visitor.json<{ request_id: string }>('POST', '/api/change-model', changeForm(imageId))).request_id;
    const listTold = () => service.messages.map(({ text }) => pushMessage.parse(JSON.parse(text)).notification.tag);

    // The kill comes after the transaction that ends the generation. On a busy machine the sending may have begun.
    service.answer('hang');
    const first = await changeModel();
    await vi.waitFor(async () => {
      const { status } = await visitor.json<{ status: string }>('GET', `/api/change-model/status/${first}`);
      expect(status).toBe('COMPLETED');
    }, WAIT);
    await server.kill();
    service.answer({ status: 201 });
    server = await server.startAgain();
    await vi.waitFor(() => expect(listTold()).toEqual([first]), WAIT);

    // The kill comes during the sending. The notice may have arrived, so it is sent again and replaces itself.
    service.answer('hang');
    const before = service.requests.length;
    const second = await changeModel();
    await vi.waitFor(() => expect(service.requests).toHaveLength(before + 1), WAIT);
    await server.kill();
    service.answer({ status: 201 });
    server = await server.startAgain();
    await vi.waitFor(() => expect(listTold()).toEqual([first, second]), WAIT);
  } finally {
    await server.stop();
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
