import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, expect, vi } from 'vitest';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { encodeForm } from './forms.ts';
import type { Person } from './people.ts';
import { type HarnessOptions, useVideoHarness } from './video-harness.ts';

/** Storing a picture draws its copies, which is slow on a busy machine. */
const FINISH_TIMEOUT_MS = 60_000;

type FormParts = Parameters<typeof encodeForm>[0];

/** A video harness with helpers for the tools that make pictures. Registers the hooks itself. */
export function useToolHarness(options?: HarnessOptions) {
  const harness = useVideoHarness(options);
  let pictures: string[];
  let photo: Buffer;

  beforeAll(async () => {
    photo = await drawProductPhoto('garment', { width: 300, height: 400 });
    pictures = await Promise.all(
      [0, 1, 2, 3, 4].map(async (position) => {
        const file = path.join(harness.testApp.database.dataDir, `engine-picture-${position}.jpg`);
        // Small, for speed. Each has a different width.
        await writeFile(file, await drawJpeg(150 + position, 200));
        return file;
      }),
    );
  });

  // Otherwise the engine would deliver the next test's pictures for these generations too.
  afterEach(async () => {
    const { app } = harness.testApp;
    const active = await app.db.generation.findMany({ where: { status: { in: [...ACTIVE_STATUSES] } } });
    for (const generation of active) await endGeneration(app, generation, 'cancelled');
  });

  function outputs(positions: number[]) {
    return positions.map((position) => ({
      path: pictures[position] as string,
      contentType: 'image/jpeg' as const,
      position,
    }));
  }

  async function send(person: Pick<Person, 'cookie'>, url: string, parts: FormParts, headers = {}) {
    const form = await encodeForm(parts);
    return harness.call(person, { method: 'POST', url, payload: form.body, headers: { ...form.headers, ...headers } });
  }

  return {
    ...harness,
    get testApp() {
      return harness.testApp;
    },
    /** The photo as a part of a form. */
    get photoPart() {
      return { content: photo, name: 'photo.jpg', type: 'image/jpeg' };
    },
    send,
    /** The picture that the engine delivers as this frame. */
    readPicture: (position: number) => readFile(pictures[position] as string),
    /** From now on the engine delivers these frames and reports completion. */
    letEngineHandIn(positions: number[]): void {
      harness.testApp.engine.behave({ say: 'completed', outputs: outputs(positions) });
    },
    /** From now on the engine delivers one picture of the real size, 1200 by 1600. */
    async letEngineHandInFullSize(): Promise<void> {
      const file = path.join(harness.testApp.database.dataDir, 'engine-picture-full-size.jpg');
      await writeFile(file, await drawJpeg(1200, 1600));
      harness.testApp.engine.behave({ say: 'completed', outputs: [{ path: file, contentType: 'image/jpeg' }] });
    },
    /** From now on these frames are ready and the engine still makes the others. */
    letEngineShow(positions: number[]): void {
      harness.testApp.engine.behave({ say: 'running', outputs: outputs(positions) });
    },
    async modelChangeOf(person: Pick<Person, 'cookie'>, requestId: string) {
      return (await harness.call(person, { url: `/api/change-model/status/${requestId}` })).json();
    },
    async sessionOf(person: Pick<Person, 'cookie'>, sessionId: string) {
      return (await harness.call(person, { url: `/api/photosession/${sessionId}/status` })).json();
    },
    waitUntil(check: () => Promise<void>): Promise<void> {
      return vi.waitFor(check, FINISH_TIMEOUT_MS);
    },
    /** Counts what a person has left in the database and on the disk. */
    async countTraces(person: Person) {
      const accountId = person.account.id;
      const { db } = harness.testApp.app;
      const [photos, generations, holds] = await Promise.all([
        db.photo.count({ where: { accountId } }),
        db.generation.count({ where: { accountId } }),
        db.starEntry.count({ where: { accountId, kind: 'hold' } }),
      ]);
      return { photos, generations, holds };
    },
    async expectRefusal(
      answer: ReturnType<typeof send>,
      status: number,
      code: string,
    ): Promise<Record<string, unknown>> {
      const response = await answer;
      expect({ status: response.statusCode, code: response.json().code }).toEqual({ status, code });
      expect(response.json().message).toMatch(/[а-яё]/i);
      return response.json();
    },
  };
}
