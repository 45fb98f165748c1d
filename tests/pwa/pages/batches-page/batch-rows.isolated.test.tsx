// @vitest-environment happy-dom
import { locks } from 'node:worker_threads';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { IDBFactory } from 'fake-indexeddb';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '#pwa/client/query-client.ts';
import { batchQuery } from '#pwa/features/batches/batch-queries.ts';
import { IntakeDropZone } from '#pwa/features/batches/intake/intake-drop-zone.tsx';
import { IntakeStatus } from '#pwa/features/batches/intake/intake-status.tsx';
import { writeSessionMarker } from '#pwa/features/session/session-marker.ts';
import { enqueueBatchFiles, keepBatchFile, nameTab, tell } from '#pwa/features/uploads/batch-uploads.ts';
import { BatchRows } from '#pwa/pages/batches-page/batch-rows.tsx';
import { startContractServer } from '#tests/pwa/support/contract-server.ts';
import { BATCH_ID, sampleBatch, sampleRow } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

/** The rows that were drawn, by the label of their menu. */
const { drawn } = vi.hoisted(() => ({ drawn: [] as string[] }));
vi.mock('#pwa/components/icon-button.tsx', () => ({
  IconButton({ label }: { label: string }) {
    drawn.push(label);
    return <button type="button" aria-label={label} />;
  },
}));

const ROWS = [1, 2, 3, 4].map((position) => sampleRow(position, { state: 'uploading', photo: null }));
const BATCH = sampleBatch(ROWS);

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  // happy-dom has none.
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  startContractServer();
  writeSessionMarker({ userId: 7, name: 'Анна' });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('how far a file is sent draws its row alone', async () => {
  const file = { type: '', size: 3, folder: null, article: null, note: null, set: null, refusal: null };
  const uploads = ROWS.map(({ id, name }) => ({
    ...{ ...file, rowId: id, batchId: BATCH_ID, name },
    ...{ isRowAdded: true, sha256: null, isStored: false, tab: nameTab() },
  }));
  await enqueueBatchFiles(7, uploads);
  for (const { rowId, name } of uploads) await keepBatchFile(7, rowId, new File(['1'], name), rowId);
  const client = createQueryClient();
  client.setQueryData(batchQuery(BATCH_ID).queryKey, { batch: BATCH, rows: ROWS });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <IntakeDropZone batchId={BATCH_ID}>
          <IntakeStatus />
          <BatchRows batch={BATCH} rows={ROWS} />
        </IntakeDropZone>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await until(() => screen.getByText(/Загружаются/));
  const show = async (position: number, share: number) => {
    drawn.length = 0;
    act(() => tell({ type: 'progress', rowId: sampleRow(position).id, share }));
    await until(() => expect(drawn).not.toEqual([]));
    expect(drawn).toEqual([`Действия: ${sampleRow(position).name}`]);
  };
  await show(2, 0.2);
  await show(2, 0.4);
  await show(3, 0.1);
});
