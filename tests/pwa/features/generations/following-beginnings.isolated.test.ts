import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PHOTO } from '#tests/pwa/support/samples.ts';
import { type Kind, letTimeGoOn, MINUTE_MS, openPage, START, seedOf, stopTime } from './followed-page.ts';

let page: ReturnType<typeof openPage>;

/** Opens the page of a tool, with this record on the device. */
async function open(kind: Kind, record?: ReturnType<typeof seedOf>): Promise<void> {
  page = openPage(kind);
  await page.open(record);
}

beforeEach(stopTime);
afterEach(() => {
  page.close();
  letTimeGoOn();
});

describe('the restoring', () => {
  it('polls the recorded generation at once, with a new time limit, whatever state it was left in', async () => {
    page = openPage('video');
    await page.pass(26 * MINUTE_MS);
    await page.open(seedOf('g1', { status: 'generating', pollCount: 7 }));
    expect(page.state.isRestored).toBe(true);
    expect(page.followed).toMatchObject({ origin: 'record', step: 'generating', pollCount: 7 });
    expect(page.askedAt()).toEqual([26 * MINUTE_MS]);
    await page.answer('g1', 'generating');
    expect(page.followed?.step).toBe('generating');
    await page.pass(10_000);
    expect(page.askedAt()).toHaveLength(2);
    expect(page.toldKinds).toEqual(['resumed']);
  });

  it.each([
    ['completed', 'completed'],
    ['failed', 'failed'],
  ] as const)('of one that has %s meanwhile says how it ended', async (status, kind) => {
    await open('video', seedOf('g1'));
    await page.list(null);
    await page.answer('g1', status);
    expect(page.toldKinds).toEqual(['resumed', kind]);
  });

  it('of one that the server does not know, or that is somebody else’s, ends there', async () => {
    await open('model_change', seedOf('g1'));
    await page.fail('g1', 'lost');
    expect(page.followed).toBeNull();
    expect(page.log).toContain('forget');
  });

  it('leaves a record that is older than the watchdog’s limit, and removes it', async () => {
    page = openPage('video');
    await page.pass(120 * MINUTE_MS);
    await page.open(seedOf('g1'));
    expect(page.followed).toBeNull();
    expect(page.log).toEqual(['forget']);
    await page.list('g1');
    expect(page.followed).toBeNull();
  });

  it('does not replace what the person has started meanwhile', async () => {
    page = openPage('video');
    const opening = page.open(seedOf('g1'));
    page.controller.show('g2', 'start');
    await opening;
    await page.list('g1');
    expect(page.followed?.generationId).toBe('g2');
  });

  it('follows what the server runs and this device knows nothing of', async () => {
    await open('model_change');
    await page.list('g1');
    expect(page.followed).toMatchObject({ origin: 'server', subject: 'по списку' });
    expect(page.askedAt()).toEqual([0]);
    expect(page.toldKinds).toEqual(['resumed']);
  });

  it('leaves alone what is followed already, and prefers the server’s word to the record', async () => {
    await open('video', seedOf('g1', { subject: 'по устройству' }));
    await page.list('g1');
    expect(page.followed?.subject).toBe('по устройству');
    await page.list('g2');
    expect(page.followed).toMatchObject({ generationId: 'g2', origin: 'server' });
  });

  it('learns what it is made from, and when it began, from the first answer about a link', async () => {
    await open('video');
    await page.pass(5 * MINUTE_MS);
    await page.link('g1');
    expect(page.followed).toMatchObject({ subject: 'неизвестно', startedAt: START + 5 * MINUTE_MS });
    await page.answer('g1', 'generating');
    expect(page.followed).toMatchObject({ subject: 'по ответу g1', startedAt: START });
  });

  it('shows at once what another part of the page knows, and asks again', async () => {
    await open('video');
    await page.start('g1');
    await page.answer('g1', 'generating');
    page.controller.close();
    await page.open(seedOf('g1'));
    expect(page.followed).toMatchObject({ origin: 'record', step: 'generating', subject: 'по ответу g1' });
    expect(page.askedAt()).toHaveLength(2);
  });
});

describe('another tab or another door', () => {
  it.each([
    ['is joined where a strip can offer it', 'video', 'g2'],
    ['is left alone in the middle of a form', 'model_change', null],
  ] as const)('that starts one later %s', async (_, kind, id) => {
    await open(kind);
    await page.list(null);
    await page.list('g2');
    expect(page.followed?.generationId ?? null).toBe(id);
  });

  it('does not bring back what has ended here, by a list from before its end', async () => {
    await open('video');
    await page.start('g1');
    await page.answer('g1', 'completed');
    await page.release();
    await page.list('g1');
    expect(page.followed).toBeNull();
  });

  it('does not take the place of what runs here', async () => {
    await open('video');
    await page.start('g1');
    await page.list('g0');
    expect(page.followed?.generationId).toBe('g1');
  });

  it('shows the one that stood in the way of a start', async () => {
    await open('model_change');
    await page.list(null);
    await page.sendStart();
    await page.refuseStart(true);
    await page.link('g2', 'start');
    expect(page.followed?.generationId).toBe('g2');
  });
});

describe('the start', () => {
  it('ignores a list from its middle, which may name what it is about to tell', async () => {
    await open('video');
    await page.sendStart();
    expect(page.state.isStarting).toBe(true);
    await page.list('g1');
    expect(page.followed).toBeNull();
    await page.answerStart('g1');
    expect(page.state.isStarting).toBe(false);
    expect(page.followed).toMatchObject({ origin: 'start', subject: 'по устройству' });
    expect(page.toldKinds).toEqual([]);
  });

  it('whose answer was lost is found by the next list', async () => {
    await open('model_change');
    await page.list(null);
    await page.sendStart();
    await page.refuseStart(true);
    expect(page.state).toMatchObject({ isStarting: false, isListed: false });
    await page.list('g1');
    expect(page.followed?.generationId).toBe('g1');
  });

  it('repeated after a lost answer goes on with the generation that was found', async () => {
    await open('video');
    await page.sendStart();
    await page.refuseStart(true);
    await page.list('g1');
    await page.answer('g1', 'generating');
    await page.start('g1');
    expect(page.followed).toMatchObject({ generationId: 'g1', step: 'generating', pollCount: 1 });
    expect(page.state.isStarting).toBe(false);
  });

  it('repeated after a lost answer has the same key, and a new one after an answer', async () => {
    await open('video');
    for (let lost = 1; lost <= 2; lost += 1) {
      await page.sendStart();
      await page.refuseStart(true);
    }
    await page.start('g1');
    await page.start('g2');
    const [first, second, third, next] = page.startKeys;
    expect([second, third]).toEqual([first, first]);
    expect(next).not.toBe(first);
  });

  it('of another choice has another key', async () => {
    await open('video');
    await page.sendStart();
    await page.refuseStart(true);
    await page.sendStart({ ...PHOTO, id: 'photo-2' });
    expect(new Set(page.startKeys).size).toBe(2);
  });

  it('pressed twice is sent once', async () => {
    await open('video');
    await page.sendStart();
    await page.sendStart();
    expect(page.startKeys).toHaveLength(1);
  });

  it('answered after the page was left shows and stores nothing', async () => {
    await open('video');
    await page.sendStart();
    page.controller.close();
    await page.answerStart('g1');
    expect([page.followed, page.log]).toEqual([null, []]);
  });

  it('that was refused leaves the list as it was', async () => {
    await open('model_change');
    await page.list(null);
    await page.sendStart();
    await page.refuseStart(false);
    await page.list('g1');
    expect(page.followed).toBeNull();
  });

  it('that is answered with its end says it once, and asks once for the details', async () => {
    await open('model_change');
    await page.start('g1', { status: 'completed', url: '/result.jpg', starsSpent: 1 });
    expect(page.followed).toMatchObject({ step: 'completed', view: null });
    await page.fail('g1', 'unavailable');
    await page.pass(MINUTE_MS);
    expect(page.askedAt()).toEqual([0]);
    expect(page.followed?.step).toBe('completed');
    await page.answer('g1', 'completed');
    expect(page.followed?.view?.results).toHaveLength(1);
    expect(page.toldKinds).toEqual(['completed']);
  });

  it('that is answered with an end without a file asks before it says anything', async () => {
    await open('model_change');
    await page.start('g1', { status: 'completed', url: null, starsSpent: 1 });
    expect(page.toldKinds).toEqual([]);
    await page.answer('g1', 'completed', { files: 0 });
    expect(page.toldKinds).toEqual(['missing']);
  });
});
