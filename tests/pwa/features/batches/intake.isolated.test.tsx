// @vitest-environment happy-dom
import { locks } from 'node:worker_threads';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { BlobReader, BlobWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { downloadZip } from 'client-zip';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UploadSender } from '#pwa/app/upload-sender.tsx';
import { createQueryClient } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { shownToast } from '#pwa/components/toast.ts';
import { batchesQuery, batchQuery } from '#pwa/features/batches/batch-queries.ts';
import { IntakeActions } from '#pwa/features/batches/intake/intake-actions.tsx';
import { IntakeDropZone } from '#pwa/features/batches/intake/intake-drop-zone.tsx';
import { IntakeStatus } from '#pwa/features/batches/intake/intake-status.tsx';
import { consentRequest } from '#pwa/features/consent/document-consent.ts';
import { toolSettingsQuery } from '#pwa/features/generations/tool-settings.ts';
import { writeSessionMarker } from '#pwa/features/session/session-marker.ts';
import { toolsQuery } from '#pwa/features/tools/tools.ts';
import { forgetReceived, keepDropped, listReceived, subscribeReceived } from '#pwa/features/uploads/received-photos.ts';
import type { BatchRow } from '#shared/contract/batches.ts';
import * as contract from '#shared/contract/batches.ts';
import { findKnownPhotos, listPhotos } from '#shared/contract/photos.ts';
import { type ContractServer, startContractServer } from '#tests/pwa/support/contract-server.ts';
import { BATCH_ID, GENERATIVE_TOOLS, KEPT_PHOTO, sampleBatch, sampleRow, USER } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

const VIDEO_BATCH = { ...sampleBatch([]), set: { kind: 'video', settings: {} } } as unknown as contract.Batch;
const RED = {
  kind: 'video',
  id: 's1',
  name: 'Красный',
  createdAt: '2026-01-01T00:00:00.000Z',
  settings: { duration: 10 },
};

/** The page connects anew after a failure, and finds the same. */
const indexedDb = new IDBFactory();
let server: ContractServer;
let client: ReturnType<typeof createQueryClient>;
let rows: Map<string, BatchRow>;

beforeEach(() => {
  vi.stubGlobal('indexedDB', indexedDb);
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
          <IntakeActions />
          <IntakeStatus />
        </IntakeDropZone>
      </MemoryRouter>
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  consentRequest.set(null);
  shownToast.set(null);
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
const inFolder = (folder: string, file: File) =>
  Object.defineProperty(file, 'webkitRelativePath', { value: `${folder}/${file.name}` });
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

test('a file goes to the row of its own folder, however large it is', async () => {
  const missing = { name: '1.jpg', size: null, state: 'uploading', photo: null } as const;
  const [dresses, skirts] = [
    sampleRow(1, { ...missing, folder: 'Платья' }),
    sampleRow(2, { ...missing, folder: 'Юбки' }),
  ];
  for (const row of [dresses, skirts]) rows.set(row.id, row);
  await act(() => client.invalidateQueries({ queryKey: QUERY_KEYS.batch }));
  await until(() => screen.getByText(/Нет на этом устройстве/));
  await choose(inFolder('Юбки', jpeg('1.jpg', 'skirt')), inFolder('Пальто', jpeg('1.jpg', 'coat')));
  await until(() => expect(describeRows()).toEqual(['1.jpg uploading', '1.jpg ready', '1.jpg ready']));
  const sent = server.callsOf(contract.uploadRowPhoto).filter(({ url }) => url.pathname.includes(skirts.id));
  const texts = await Promise.all(sent.map(({ body }) => ((body as FormData).get('image') as File).text()));
  expect(texts).toEqual([expect.stringContaining('skirt')]);
  expect(sentRows()).toMatchObject([{ folder: 'Пальто' }]);
});

test('a table tells rows of different folders apart', async () => {
  const missing = { name: '1.jpg', state: 'uploading', photo: null } as const;
  const dresses = sampleRow(1, { ...missing, folder: 'Платья' });
  const skirts = sampleRow(2, { ...missing, folder: 'Юбки' });
  for (const row of [dresses, skirts]) rows.set(row.id, row);
  await act(() => client.invalidateQueries({ queryKey: QUERY_KEYS.batch }));
  await until(() => screen.getByText(/Нет на этом устройстве/));
  server.answer(contract.changeRow, ({ url }) => rows.get(url.pathname.split('/').at(-1) ?? '') as BatchRow);
  await choose(new File(['файл;артикул\nЮбки/1.jpg;ЮБ-1\nПлатья/1.jpg;ПЛ-1\nПальто/1.jpg;ПА-1'], 'table.csv'));
  const forget = await until(() => screen.getByRole('button', { name: 'Убрать таблицу' }));
  const changes = server.callsOf(contract.changeRow).map(({ url, body }) => [url.pathname.split('/').at(-1), body]);
  expect(changes).toEqual([
    [skirts.id, { article: 'ЮБ-1' }],
    [dresses.id, { article: 'ПЛ-1' }],
  ]);
  await act(async () => forget.click());
});

test('names are cut to what the server takes', async () => {
  await choose(inFolder('п'.repeat(300), jpeg(`${'ф'.repeat(600)}.jpg`)));
  await until(() => expect([...rows.values()].map(({ state }) => state)).toEqual(['ready']));
  expect(sentRows()).toMatchObject([{ name: 'ф'.repeat(255), folder: 'п'.repeat(255) }]);
});

describe('photos that were shared with the app', () => {
  afterEach(() => forgetReceived(7));
  const share = async () => {
    await keepDropped({ others: [jpeg('1.jpg'), jpeg('2.jpg')], notPhotos: 0 }, Promise.resolve());
    await until(() => screen.getByRole('button', { name: /Присланные.фото:.2/ }));
  };
  /** `ended` resolves when the page has done with them, which it always tells. */
  const take = async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const stop = subscribeReceived(() => resolve());
    await act(async () => screen.getByRole('button', { name: /Присланные.фото/ }).click());
    return { ended: ended.finally(stop) };
  };
  const namesLeft = async () => (await listReceived(7)).map(({ name }) => name).sort();

  test('leave the device once they are rows and wait to be sent', async () => {
    await share();
    const { ended } = await take();
    await until(() => expect(describeRows()).toEqual(['1.jpg ready', '2.jpg ready']));
    await ended;
    expect(await namesLeft()).toEqual([]);
  });

  test('stay when the person does not consent', async () => {
    client.setQueryData(toolsQuery.queryKey, GENERATIVE_TOOLS);
    client.setQueryData(QUERY_KEYS.user, { ...USER, consentVersion: null });
    await share();
    const { ended } = await take();
    const asked = await until(() => consentRequest.get() ?? expect.fail('nobody is asked'));
    await act(async () => asked.giveUp?.());
    await ended;
    expect(await namesLeft()).toEqual(['1.jpg', '2.jpg']);
  });

  test('stay when the server refuses them, all or one', async () => {
    await share();
    server.refuse(contract.addRows, 'batch_not_found');
    const first = await take();
    await until(() => expect(shownToast.get()?.title).toMatch(/Не.добавлено/));
    await first.ended;
    expect(await namesLeft()).toEqual(['1.jpg', '2.jpg']);
    server.answer(contract.addRows, ({ body }) => {
      const added = (body as { rows: { id: string; name: string }[] }).rows;
      for (const { id, name } of added) {
        const state = name === '1.jpg' ? 'refused' : 'uploading';
        rows.set(id, sampleRow(rows.size + 1, { id, name, state, photo: null }));
      }
      return { batch: VIDEO_BATCH, rows: [...rows.values()] };
    });
    const second = await take();
    await second.ended;
    expect(await namesLeft()).toEqual(['1.jpg']);
  });

  test('stay when the device has no room for the list', async () => {
    await share();
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
      if (String(key).includes('/batchUploads')) throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value, key);
    });
    const { ended } = await take();
    await until(() => expect(shownToast.get()?.title).toBe('Не удалось добавить файлы'));
    await ended;
    vi.restoreAllMocks();
    expect(await namesLeft()).toEqual(['1.jpg', '2.jpg']);
  });
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
