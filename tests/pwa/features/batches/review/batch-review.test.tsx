// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '#pwa/client/query-client.ts';
import { shownToast } from '#pwa/components/toast.ts';
import { connection } from '#pwa/device/connection.ts';
import { batchQuery, useBatch } from '#pwa/features/batches/batch-queries.ts';
import { BatchReview } from '#pwa/features/batches/review/batch-review.tsx';
import { outboxOf } from '#pwa/features/batches/review/review-outbox.ts';
import * as contract from '#shared/contract/batches.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { getToolAbilities, getToolOffer } from '#shared/contract/tools.ts';
import { type Call, type ContractServer, startContractServer } from '#tests/pwa/support/contract-server.ts';
import { GENERATIVE_TOOLS, PHOTO, sampleBatch, sampleOffer, sampleRow } from '#tests/pwa/support/samples.ts';
import { until } from '#tests/support/until.ts';

type Row = contract.BatchRow;
type Verdict = 'kept' | 'drifted' | 'pending';

function resultOf(row: number, position: number, verdict: Verdict, isVideo = false): Row['results'][number] {
  const address = `/media/results/g${row}/${position}`;
  return {
    id: `r${row}-${position}`,
    generationId: `g${row}`,
    title: `Кадр ${position + 1}`,
    isRenamed: false,
    fileName: 'a.jpg',
    product: null,
    photoName: 'a',
    number: 1,
    position,
    url: `${address}/image`,
    previewUrl: `${address}/poster`,
    thumbnailUrl: `${address}/thumbnail`,
    isWatermarked: false,
    width: 60,
    height: 80,
    durationSeconds: isVideo ? 5 : null,
    garmentCheck: { verdict, drifts: verdict === 'drifted' ? ['print'] : [], crops: null },
  };
}

function doneRow(position: number, part: Partial<Row> = {}, verdict: Verdict = 'kept'): Row {
  return sampleRow(position, {
    state: 'done',
    stars: 2,
    generationId: `g${position}`,
    photo: { ...PHOTO, id: `photo-${position}`, product: { id: `p${position}`, article: `АРТ-${position}` } },
    results: [resultOf(position, 0, verdict)],
    ...part,
  });
}

let server: ContractServer;
let client: ReturnType<typeof createQueryClient>;
/** What the server has. */
let rows: Row[];
let batchId: string;

beforeEach(() => {
  server = startContractServer();
  client = createQueryClient();
  batchId = crypto.randomUUID();
  connection.set(true);
  server.answer(getToolAbilities, GENERATIVE_TOOLS);
  server.answer(getToolOffer, sampleOffer());
  server.answer(contract.getBatch, () => ({ batch: sampleBatch(rows, { id: batchId }), rows }));
  server.answer(contract.reviewRows, (call) => {
    for (const { rowId, isTaken } of decisionsOf(call)) {
      rows = rows.map((row) => (row.id === rowId ? { ...row, isTaken } : row));
    }
    return sampleBatch(rows, { id: batchId });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  shownToast.set(null);
  expect(server.faults).toEqual([]);
});

const decisionsOf = (call: Call) =>
  (call.body as { decisions: { rowId: string; isTaken: boolean | null }[] }).decisions;
const sent = () => server.callsOf(contract.reviewRows).map(decisionsOf);

const leave = vi.fn();
const showPacks = vi.fn();

/** What the page has drawn last. */
let drawn: readonly Row[] = [];

function Page() {
  const { data } = useBatch(batchId);
  drawn = data?.rows ?? [];
  return data ? <BatchReview batch={data.batch} rows={data.rows} onClose={leave} onPacks={showPacks} /> : null;
}

function open(given: Row[]): void {
  rows = given;
  client.setQueryData(batchQuery(batchId).queryKey, { batch: sampleBatch(rows, { id: batchId }), rows });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/** Presses a key of a Russian layout. */
const press = (code: string, options: object = {}) =>
  act(() => void fireEvent.keyDown(document.body, { code, key: 'ф', ...options }));
const title = () => screen.getByRole('heading', { name: /Просмотр/ }).textContent;
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const plain = (text: string | null | undefined) => text?.replaceAll('\u00a0', ' ');
const told = () => plain([...document.querySelectorAll('[role=status]')].map((part) => part.textContent).join(' '));

describe('a review', () => {
  it('goes through the rows by keys of any layout, drifted ones first, and tells what was decided', async () => {
    open([doneRow(1), doneRow(2, {}, 'drifted'), doneRow(3)]);
    expect(title()).toContain('АРТ-2');
    screen.getByText('Осталось 3');
    press('KeyX');
    expect(told()).toBe('Не взято: АРТ-2. Осталось 2');
    expect(title()).toContain('АРТ-1');
    press('KeyA');
    press('KeyA', { repeat: true });
    expect(title()).toContain('АРТ-3');
    await until(() => expect(rows.map(({ isTaken }) => isTaken)).toEqual([true, false, null]));
    press('KeyZ');
    press('KeyZ');
    expect(title()).toContain('АРТ-2');
    expect(told()).toBe('Отменено. Осталось 3');
    await until(() => expect(rows.map(({ isTaken }) => isTaken)).toEqual([null, null, null]));
    expect(button(/Отменить/)).toHaveProperty('disabled', true);
  });

  it('forgets a decision only when the page has the row with it', async () => {
    open([doneRow(1), doneRow(2)]);
    const outbox = outboxOf(batchId);
    const whenForgotten: unknown[] = [];
    outbox.subscribe(() => outbox.get().pending.size === 0 && whenForgotten.push(drawn[0]?.isTaken));
    press('KeyA');
    await until(() => expect(whenForgotten).toEqual([true]));
  });

  it('takes everything without a finding at once, and shows the sum', async () => {
    open([doneRow(1), doneRow(2, {}, 'drifted'), doneRow(3), doneRow(4, {}, 'pending')]);
    fireEvent.click(button(/Взять все без замечаний/));
    expect(told()).toBe('Взято без замечаний: 2. Осталось 2');
    expect(title()).toContain('АРТ-2');
    press('KeyX');
    press('KeyA');
    expect(plain(screen.getByRole('region', { name: 'Итог просмотра' }).textContent)).toContain(
      'Взято: 3, не взято: 1',
    );
    await until(() => expect(rows.map(({ isTaken }) => isTaken)).toEqual([true, false, true, true]));
    press('ArrowLeft');
    expect(title()).toContain('АРТ-4');
  });

  it('makes a row again at its price, free where the garment has drifted, and shows it when it comes back', async () => {
    open([doneRow(1), doneRow(2, { reroll: 'offered' }, 'drifted')]);
    server.answer(contract.redoRow, (call) => {
      const id = call.url.pathname.split('/')[5];
      rows = rows.map((row) => (row.id === id ? { ...row, state: 'waiting', results: [] } : row));
      return rows.find((row) => row.id === id) as Row;
    });
    expect(button(/Переделать/).textContent).toContain('бесплатно');
    press('KeyR');
    expect(title()).toContain('АРТ-1');
    expect(button(/Переделать/).textContent).toContain('2');
    expect(told()).toContain('Переделываем: АРТ-2, бесплатно. Осталось 1');
    await until(() => expect(server.callsOf(contract.redoRow)[0]?.body).toEqual({ agreedStars: 0 }));
    press('KeyR');
    await until(() => expect(server.callsOf(contract.redoRow)[1]?.body).toEqual({ agreedStars: 2 }));
    await until(() => screen.getByText(/Ещё.2.создаются/));
    rows = [doneRow(1, { isTaken: true }), doneRow(2, { attempts: 2 })];
    await act(() => client.invalidateQueries({ queryKey: batchQuery(batchId).queryKey }));
    await until(() => expect(title()).toContain('АРТ-2'));
  });

  it('brings a row back whose redo was refused, and says why', async () => {
    open([doneRow(1), doneRow(2)]);
    server.refuse(contract.redoRow, 'price_changed');
    press('KeyR');
    expect(title()).toContain('АРТ-2');
    await until(() => expect(shownToast.get()?.title).toBe('Не удалось начать переделку'));
    screen.getByText('Осталось 2');
  });

  it('pays for a redo once, however often it is asked for until the server has answered', async () => {
    open([doneRow(1), doneRow(2)]);
    server.cut(contract.redoRow);
    const redo = async (times: number) => {
      press('KeyR');
      await until(() => expect(server.callsOf(contract.redoRow)).toHaveLength(times));
    };
    await redo(1);
    await until(() => screen.getByText('Осталось 2'));
    expect(title()).toContain('АРТ-2');
    // The review may be closed meanwhile.
    cleanup();
    open([doneRow(1)]);
    server.answer(contract.redoRow, doneRow(1));
    await redo(2);
    await until(() => screen.getByText('Осталось 1'));
    await redo(3);
    const [lost, repeated, next] = server
      .callsOf(contract.redoRow)
      .map(({ headers }) => headers.get(IDEMPOTENCY_KEY_HEADER));
    expect(lost).toMatch(/^[\da-f-]{36}$/);
    expect(repeated).toBe(lost);
    expect(next).not.toBe(lost);
  });

  it('shows the photo while the key, the button or the picture is held', () => {
    open([doneRow(1)]);
    const shown = () => screen.getByText(/^(Было|Стало)$/, { selector: '.tag' }).textContent;
    press('KeyB');
    expect(shown()).toBe('Было');
    fireEvent.keyUp(document.body, { code: 'KeyB' });
    expect(shown()).toBe('Стало');
    fireEvent.pointerDown(button(/Было/));
    expect(shown()).toBe('Было');
    fireEvent.pointerUp(button(/Было/));
    expect(shown()).toBe('Стало');
    // A screen reader presses it.
    fireEvent.click(button(/Было/), { detail: 0 });
    expect(shown()).toBe('Было');
  });

  it('shows the five frames of a photo session, beginning with the drifted one, and a video muted', () => {
    const frames = [0, 1, 2, 3, 4].map((position) => resultOf(1, position, position === 2 ? 'drifted' : 'kept'));
    open([doneRow(1, { results: frames }), doneRow(2, { results: [resultOf(2, 0, 'kept', true)] })]);
    const pressed = () =>
      screen
        .getAllByRole('button', { name: /^(Поза|Кадр).\d/ })
        .map((frame) => frame.getAttribute('aria-pressed') === 'true');
    expect(pressed()).toEqual([false, false, true, false, false]);
    press('ArrowDown');
    expect(pressed()).toEqual([false, false, false, true, false]);
    press('KeyA');
    const video = document.querySelector('video');
    expect([video?.muted, video?.loop]).toEqual([true, true]);
  });

  it('decides in the grid about the chosen result, by key and by button', async () => {
    open([doneRow(1), doneRow(2), doneRow(3)]);
    fireEvent.click(button('Сеткой'));
    fireEvent.focus(button('АРТ-2'));
    press('KeyX');
    fireEvent.click(button('Взять: АРТ-1'));
    await until(() => expect(rows.map(({ isTaken }) => isTaken)).toEqual([true, false, null]));
    fireEvent.click(button('АРТ-1, взято'));
    expect(title()).toContain('АРТ-1');
  });
});

describe('decisions', () => {
  it('wait without a connection, and only the last one about a row is sent', async () => {
    open([doneRow(1), doneRow(2)]);
    act(() => connection.set(false));
    press('KeyA');
    press('KeyZ');
    press('KeyX');
    press('KeyA');
    expect(document.body.textContent).toContain('решения сохранятся');
    expect(sent()).toEqual([]);
    cleanup();
    act(() => connection.set(true));
    await until(() => expect(rows.map(({ isTaken }) => isTaken)).toEqual([false, true]));
    expect(sent()).toHaveLength(1);
  });

  it('go one request after another, with what was decided meanwhile', async () => {
    open([doneRow(1), doneRow(2), doneRow(3)]);
    const letAnswer = server.hold(contract.reviewRows);
    press('KeyA');
    press('KeyA');
    press('KeyX');
    await until(() => expect(sent()).toHaveLength(1));
    letAnswer();
    await until(() => expect(rows.map(({ isTaken }) => isTaken)).toEqual([true, true, false]));
    expect(sent().map((decisions) => decisions.length)).toEqual([1, 2]);
  });

  it('that are refused are shown undone, and can be sent again', async () => {
    open([doneRow(1), doneRow(2)]);
    server.refuse(contract.reviewRows, 'batch_not_found');
    press('KeyA');
    await until(() => screen.getByText('Решения не сохранены'));
    screen.getByText('Осталось 2');
    server.answer(contract.reviewRows, (call) => {
      rows = rows.map((row) => ({
        ...row,
        isTaken: decisionsOf(call).some(({ rowId }) => rowId === row.id) ? true : null,
      }));
      return sampleBatch(rows, { id: batchId });
    });
    fireEvent.click(button('Повторить'));
    await until(() => expect(rows[0]?.isTaken).toBe(true));
    expect(screen.queryByText('Решения не сохранены')).toBeNull();
    screen.getByText('Осталось 1');
  });

  it('of another tab count when they come later', async () => {
    open([doneRow(1), doneRow(2)]);
    press('KeyA');
    await until(() => expect(rows[0]?.isTaken).toBe(true));
    rows = [doneRow(1, { isTaken: false }), doneRow(2)];
    await act(() => client.invalidateQueries({ queryKey: batchQuery(batchId).queryKey }));
    fireEvent.click(button('Сеткой'));
    await until(() => button('АРТ-1, не взято'));
  });
});
