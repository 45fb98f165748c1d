// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { getBatch, listBatches, removeRows, seeBatch } from '#shared/contract/batches.ts';
import { listPacks, previewPack } from '#shared/contract/packs.ts';
import { closeScreen, openScreen, untilGone, untilShown } from '#tests/pwa/support/open-screen.tsx';
import { BATCH_ID, sampleBatch, sampleRow } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const BATCH_PAGE = `/dashboard/batches?batch=${BATCH_ID}`;

afterEach(closeScreen);

test('the end of a batch that is looked at is noted as seen once, however often the batch is fetched', async () => {
  const rows = [sampleRow(1, { state: 'done' })];
  const { server, press } = await openScreen(BATCH_PAGE, {
    prepare(server) {
      server.answer(listBatches, { batches: [], nextCursor: null });
      server.answer(getBatch, { batch: { ...sampleBatch(rows), isUnseen: true }, rows });
      server.answer(seeBatch, undefined);
      server.answer(listPacks, { packs: [] });
      server.answer(previewPack, { files: [], collisions: [], unchecked: [] });
    },
  });
  await until(() => expect(server.callsOf(seeBatch)).toHaveLength(1));
  // The page is drawn anew.
  await press('button', 'Пакеты', 'main');
  await untilShown('Шаблон названий', '[role=dialog]');
  expect(server.callsOf(seeBatch)).toHaveLength(1);
});

test('rows that were refused for one reason are removed together', async () => {
  const refused = { state: 'refused', reason: { code: 'photo_unreadable', message: 'Фото не читается' } } as const;
  const rows = [sampleRow(1, refused), sampleRow(2, refused), sampleRow(3)];
  const { server, press } = await openScreen(BATCH_PAGE, {
    prepare(server) {
      server.answer(listBatches, { batches: [], nextCursor: null });
      server.answer(getBatch, { batch: sampleBatch(rows), rows });
      server.answer(removeRows, { batch: sampleBatch(rows.slice(2)), rows: [] });
    },
  });
  await untilShown('Фото не читается', 'main');
  server.answer(getBatch, { batch: sampleBatch(rows.slice(2)), rows: rows.slice(2) });
  await press('button', 'Убрать непринятое', 'main');
  await untilGone('Фото не читается', 'main');
  expect(server.callsOf(removeRows).map(({ body }) => body)).toEqual([
    { rowIds: rows.slice(0, 2).map(({ id }) => id) },
  ]);
});
