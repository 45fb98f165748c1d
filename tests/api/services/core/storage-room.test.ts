import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppContext } from '#api/services/app-context.ts';
import { createProcessState } from '#api/services/core/process-state.ts';
import { assertReadyForStart } from '#api/services/core/storage-room.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'podium-room-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(dataDir, { recursive: true });
});

test('all that a start asks a slow storage takes three seconds together', async () => {
  const written = Promise.withResolvers<void>();
  const askedForPhoto = Promise.withResolvers<void>();
  const storage = {
    check: () => written.promise,
    findFreeBytes: async () => null,
    findSize() {
      askedForPhoto.resolve();
      return new Promise<never>(() => undefined);
    },
  };
  const state = createProcessState({ passwordCost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });
  const app = { config: { dataDir }, log: pino({ level: 'silent' }), state, storage };

  // The clock stands still while the machine works, however slow it is.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let refusal: unknown = null;
  void assertReadyForStart(app as unknown as AppContext, [{ key: 'photo' }]).catch((error: unknown) => {
    refusal = error;
  });
  await vi.advanceTimersByTimeAsync(2_500);
  written.resolve();
  await askedForPhoto.promise;
  await vi.advanceTimersByTimeAsync(499);
  expect(refusal).toBeNull();
  // Alone this question would have three seconds.
  await vi.advanceTimersByTimeAsync(1);
  expect(refusal).toMatchObject({ code: 'storage_unavailable' });
});
