import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AccountEvent, followAccountEvents, reconnectPauseMs } from '#pwa/client/account-events.ts';

/** A stream as a browser holds it; the test plays the server. */
class FakeEventSource extends EventTarget {
  static opened: FakeEventSource[] = [];
  isClosed = false;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.opened.push(this);
  }

  say(event: string, data: object = {}): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }

  close(): void {
    this.isClosed = true;
  }
}

/** One Web Lock: the next in line gets it when the holder's work is done. */
function fakeLocks() {
  let line = Promise.resolve();
  return {
    request(_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) {
      const turn = line.then(() => (signal.aborted ? Promise.reject(signal.reason) : work()));
      line = turn.catch(() => undefined);
      return turn;
    },
  };
}

const ID = '0198a5f0-0000-7000-8000-000000000001';
let window: EventTarget;
let connection: { locks: ReturnType<typeof fakeLocks> | undefined; onLine: boolean };
let received: AccountEvent[];
let ends: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  FakeEventSource.opened = [];
  received = [];
  window = new EventTarget();
  connection = { locks: fakeLocks(), onLine: true };
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('navigator', connection);
  vi.stubGlobal('window', { BroadcastChannel });
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  ends = [];
});
afterEach(() => {
  for (const end of ends) end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settle = () => vi.advanceTimersByTimeAsync(0);
const newest = () => FakeEventSource.opened.at(-1) as FakeEventSource;

async function openTab({ onOpen = () => {}, beforeOpen = async () => {} } = {}): Promise<() => void> {
  const stop = followAccountEvents(1000, { beforeOpen, onOpen, onEvent: (event) => received.push(event) });
  ends.push(stop);
  await settle();
  return stop;
}

test('of several tabs one holds the stream, and the next one does when it closes', async () => {
  const closeFirst = await openTab();
  await openTab();
  await openTab();
  expect(FakeEventSource.opened).toHaveLength(1);
  expect(newest().url).toBe('/api/events');
  closeFirst();
  await settle();
  expect(FakeEventSource.opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

test('valid events of the stream reach the page; others do not', async () => {
  await openTab();
  newest().say('generation', { id: ID, kind: 'video' });
  newest().say('balance');
  newest().say('generation', { id: 'no id' });
  newest().say('unheard-of');
  expect(received).toEqual([{ event: 'generation', id: ID, kind: 'video' }, { event: 'balance' }]);
});

test('a change of a kind that only a newer server knows is passed on without the kind', async () => {
  await openTab();
  newest().say('generation', { id: ID, kind: 'hologram' });
  expect(received).toEqual([{ event: 'generation', id: ID }]);
});

test('the other tabs hear it too', async () => {
  await openTab();
  const other = new BroadcastChannel('podium.accountEvents.1000');
  const received = new Promise((resolve) => {
    other.onmessage = ({ data }) => resolve(data);
  });
  newest().say('balance');
  expect(await received).toEqual({ event: 'balance' });
  other.close();
});

test('a stream that breaks is opened again after a pause, and then anything may have changed', async () => {
  const onOpen = vi.fn();
  await openTab({ onOpen });
  newest().onopen?.();
  expect(received).toEqual([]);
  newest().onerror?.();
  expect(newest().isClosed).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(FakeEventSource.opened).toHaveLength(2);
  newest().onopen?.();
  expect(received).toEqual([{ event: 'gap' }]);
  expect(onOpen).toHaveBeenCalledTimes(2);
});

test('without a network nothing is tried until it is back', async () => {
  await openTab();
  connection.onLine = false;
  window.dispatchEvent(new Event('offline'));
  newest().onerror?.();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(FakeEventSource.opened).toHaveLength(1);
  connection.onLine = true;
  window.dispatchEvent(new Event('online'));
  await settle();
  expect(FakeEventSource.opened).toHaveLength(2);
});

test('a stream that ends while the session gets a new token is opened again with the new one', async () => {
  const entered = Promise.withResolvers<void>();
  await openTab({ beforeOpen: () => (FakeEventSource.opened.length === 0 ? Promise.resolve() : entered.promise) });
  newest().say('end');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeEventSource.opened).toHaveLength(1);
  entered.resolve();
  await settle();
  expect(FakeEventSource.opened).toHaveLength(2);
});

test('a stream that waits for that is not opened after its tab has stopped following', async () => {
  const entered = Promise.withResolvers<void>();
  const stop = await openTab({ beforeOpen: () => entered.promise });
  stop();
  entered.resolve();
  await settle();
  expect(FakeEventSource.opened).toHaveLength(0);
});

test('the end of a session is reported, and the stream is tried again for the next one', async () => {
  await openTab();
  newest().say('end');
  expect(received).toEqual([{ event: 'end' }]);
  expect(newest().isClosed).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(FakeEventSource.opened).toHaveLength(2);
});

test('a browser without Web Locks gets no events', async () => {
  connection.locks = undefined;
  await openTab();
  expect(FakeEventSource.opened).toEqual([]);
});

test('the pauses grow to a minute and are spread out', () => {
  const longest = [0, 1, 2, 3, 20].map((failures) => reconnectPauseMs(failures, 1));
  expect(longest).toEqual([1000, 2000, 4000, 8000, 60_000]);
  expect(reconnectPauseMs(3, 0)).toBe(4000);
});
