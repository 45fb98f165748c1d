// @vitest-environment happy-dom
import { locks } from 'node:worker_threads';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { BlobReader, BlobWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { downloadZip } from 'client-zip';
import { IDBFactory } from 'fake-indexeddb';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UploadSender } from '#pwa/app/upload-sender.tsx';
import { createQueryClient } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { batchesQuery, batchQuery } from '#pwa/features/batches/batch-queries.ts';
import { IntakeActions } from '#pwa/features/batches/intake/intake-actions.tsx';
import { IntakeDropZone } from '#pwa/features/batches/intake/intake-drop-zone.tsx';
import { IntakeStatus } from '#pwa/features/batches/intake/intake-status.tsx';
import { toolSettingsQuery } from '#pwa/features/generations/tool-settings.ts';
import { writeSessionMarker } from '#pwa/features/session/session-marker.ts';
import type { BatchRow } from '#shared/contract/batches.ts';
import * as contract from '#shared/contract/batches.ts';
import { findKnownPhotos, listPhotos } from '#shared/contract/photos.ts';
import { type ContractServer, startContractServer } from '#tests/pwa/support/contract-server.ts';
import { BATCH_ID, KEPT_PHOTO, sampleBatch, sampleRow } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const VIDEO_BATCH = { ...sampleBatch([]), set: { kind: 'video', settings: {} } } as unknown as contract.Batch;
const RED = {
  kind: 'video',
  id: 's1',
  name: 'Красный',
  createdAt: '2026-01-01T00:00:00.000Z',
  settings: { duration: 10 },
};

let server: ContractServer;
let client: ReturnType<typeof createQueryClient>;
let rows: Map<string, BatchRow>;

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  // happy-dom has none.
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  writeSessionMarker({ userId: 7, name: 'Анна' });
  rows = new Map();
  server = startContractServer();
  client = createQueryClient();
  client.setQueryData(batchQuery(BATCH_ID).queryKey, { batch: VIDEO_BATCH, rows: [] });
  client.setQueryData(toolSettingsQuery.queryKey, { last: {}, sets: [RED] } as never);
  server.answer(contract.getBatch, () => ({ batch: VIDEO_BATCH, rows: [...rows.values()] }));
  server.answer(contract.addRows, ({ body }) => {
    const added = (body as { rows: { id: string; name: string; refusal?: string; photoId?: string }[] }).rows;
    for (const { id, name, refusal, photoId } of added) {
      const state = refusal ? 'refused' : photoId ? 'ready' : 'uploading';
      rows.set(id, sampleRow(rows.size + 1, { id, name, state, photo: null, results: [] }));
    }
    return { batch: VIDEO_BATCH, rows: added.flatMap(({ id }) => rows.get(id) ?? []) };
  });
  server.answer(findKnownPhotos, { known: [] });
  server.answer(contract.settleRow, ({ url }) => settle(url, 'refused'));
  server.answer(contract.uploadRowPhoto, ({ url }) => settle(url, 'ready'));
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <UploadSender />
        <IntakeDropZone batchId={BATCH_ID}>
          <IntakeActions batchId={BATCH_ID} />
          <IntakeStatus batchId={BATCH_ID} />
        </IntakeDropZone>
      </MemoryRouter>
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  expect(server.faults).toEqual([]);
});

function settle(url: URL, state: BatchRow['state']): BatchRow {
  const id = url.pathname.split('/').at(-2) ?? '';
  const row = { ...(rows.get(id) ?? sampleRow(1, { id })), state };
  rows.set(id, row);
  return row;
}

const jpeg = (name: string, content = name) =>
  new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), content], name, { type: 'image/jpeg' });
const describeRows = () => [...rows.values()].map(({ name, state }) => `${name} ${state}`);
const sentRows = () =>
  server.callsOf(contract.addRows).flatMap(({ body }) => (body as { rows: Record<string, unknown>[] }).rows);

async function choose(...files: File[]): Promise<void> {
  const input = document.querySelector('input[type=file]');
  if (!input) throw new Error('there is no field for files');
  await act(async () => fireEvent.change(input, { target: { files } }));
}

test('chosen files become rows at once, are sent, and what is no photo says why', async () => {
  await choose(jpeg('1.jpg'), new File(['text'], 'read me.txt'), jpeg('2.jpg'), jpeg('.hidden.jpg'));
  await until(() => expect(describeRows()).toEqual(['1.jpg ready', 'read me.txt refused', '2.jpg ready']));
  expect(server.callsOf(contract.uploadRowPhoto)).toHaveLength(2);
  expect(server.callsOf(contract.addRows)).toHaveLength(1);
  await until(() => expect(screen.queryByRole('progressbar')).toBeNull());
});

test('an archive gives its photos with their folders, without what systems leave in it', async () => {
  const entries = ['ПЛ-1/1.jpg', '__MACOSX/ПЛ-1/._1.jpg', 'ПЛ-2/Thumbs.db', 'ПЛ-2/2.jpg'];
  const zip = await downloadZip(entries.map((name) => ({ name, input: jpeg(name) }))).blob();
  await choose(new File([zip], 'photos.zip', { type: 'application/zip' }));
  await until(() => expect(describeRows()).toEqual(['1.jpg ready', '2.jpg ready']));
  expect(sentRows().map(({ folder }) => folder)).toEqual(['ПЛ-1', 'ПЛ-2']);
});

test('a file of an archive with a password is a refused row', async () => {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  await writer.add('secret.jpg', new BlobReader(jpeg('secret.jpg')), { password: 'x', zipCrypto: true });
  await choose(new File([await writer.close()], 'photos.zip'));
  await until(() => expect(describeRows()).toEqual(['secret.jpg refused']));
  expect(sentRows()).toMatchObject([{ refusal: 'zip_entry_encrypted' }]);
});

test('a broken file of an archive is a refused row, and the others are taken', async () => {
  const zip = await downloadZip([
    { name: 'a.jpg', input: jpeg('a.jpg', 'x'.repeat(99)) },
    { name: 'b.jpg', input: jpeg('b.jpg') },
  ]).blob();
  const bytes = new Uint8Array(await zip.arrayBuffer());
  // Within the content of the first file.
  bytes[80] = (bytes[80] ?? 0) ^ 0xff;
  await choose(new File([bytes], 'photos.zip'));
  await until(() => expect(describeRows()).toEqual(['a.jpg refused', 'b.jpg ready']));
  expect(server.callsOf(contract.settleRow).map(({ body }) => body)).toEqual([{ refusal: 'zip_entry_broken' }]);
});

test('a table gives files their article, set and note; its other lines are refused rows', async () => {
  const lines = [
    'артикул;файл;набор;примечание',
    'ПЛ-1;1;красный;"срочно; к показу"',
    'ПЛ-2;2.jpg;нет такого;',
    'ПЛ-3;3.jpg;;',
  ];
  // «красный» and the others in windows-1251, as an old Excel writes them.
  const bytes = Uint8Array.from([...lines.join('\r\n')], (letter) => {
    const code = letter.charCodeAt(0);
    if (code < 128) return code;
    return letter === '«' ? 0xab : code - 0x410 + 0xc0;
  });
  await choose(new File([bytes], 'table.csv'), jpeg('1.JPG'), jpeg('2.jpg'), jpeg('other.jpg'));
  await until(() =>
    expect(describeRows()).toEqual(['1.JPG ready', '2.jpg refused', 'other.jpg ready', '3.jpg refused']),
  );
  expect(sentRows()).toMatchObject([
    { article: 'ПЛ-1', note: 'срочно; к показу', set: { kind: 'video', settings: { duration: 10 } } },
    { article: 'ПЛ-2', refusal: 'csv_set_unknown' },
    { article: null },
    { article: 'ПЛ-3', refusal: 'csv_file_missing' },
  ]);
});

test('a table that comes alone waits for its files', async () => {
  await choose(new File(['файл;артикул\n1.jpg;ПЛ-1\n2.jpg;ПЛ-2'], 'table.csv'));
  await until(() => screen.getByText(/В таблице без файлов/));
  expect(sentRows()).toEqual([]);
  await choose(jpeg('1.jpg'));
  await until(() => expect(describeRows()).toEqual(['1.jpg ready', '2.jpg refused']));
  expect(screen.queryByText(/В таблице без файлов/)).toBeNull();
});

test('a row whose file is on no device gets the same file when it is chosen again', async () => {
  rows.set(sampleRow(1).id, sampleRow(1, { name: '1.jpg', size: null, state: 'uploading', photo: null, results: [] }));
  await act(() => client.invalidateQueries({ queryKey: QUERY_KEYS.batch }));
  await until(() => screen.getByText(/Нет на этом устройстве/));
  await choose(jpeg('1.jpg'));
  await until(() => expect(describeRows()).toEqual(['1.jpg ready']));
  expect(server.callsOf(contract.addRows)).toHaveLength(0);
});

test('a refusal of the server pauses with its reason, and a press goes on', async () => {
  server.refuse(contract.uploadRowPhoto, 'photo_quota_reached');
  await choose(jpeg('1.jpg'));
  await until(() => screen.getByText(/Загрузка на паузе/));
  server.answer(contract.uploadRowPhoto, ({ url }) => settle(url, 'ready'));
  await act(async () => screen.getByRole('button', { name: 'Продолжить' }).click());
  await until(() => expect(describeRows()).toEqual(['1.jpg ready']));
});

test('several of the own photos are added, and the list of batches knows it', async () => {
  const listed = { ...VIDEO_BATCH, name: 'before', covers: [] };
  client.setQueryData(batchesQuery.queryKey, { pages: [{ batches: [listed], nextCursor: null }], pageParams: [null] });
  server.answer(listPhotos, {
    photos: [KEPT_PHOTO, { ...KEPT_PHOTO, id: 'p2', name: 'second.jpg' }],
    nextCursor: null,
    total: 2,
    usedBytes: 1,
    limitBytes: 2,
  });
  await act(async () => screen.getByRole('button', { name: 'Мои фото' }).click());
  for (const name of [KEPT_PHOTO.name, 'second.jpg']) {
    const option = await until(() => screen.getByRole('button', { name: new RegExp(name) }));
    await act(async () => option.click());
  }
  await act(async () => screen.getByRole('button', { name: /Добавить/ }).click());
  await until(() => expect(sentRows()).toMatchObject([{ photoId: KEPT_PHOTO.id }, { photoId: 'p2' }]));
  expect(client.getQueryData(batchesQuery.queryKey)?.pages[0]?.batches[0]?.name).toBe(VIDEO_BATCH.name);
});
