import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { measureClockSkew } from '#pwa/device/server-clock.ts';
import { isRunning } from '#pwa/features/generations/followed-generation.ts';
import { generationQuery } from '#pwa/features/generations/generation-query.ts';
import { type Kind, letTimeGoOn, MINUTE_MS, openPage, START, stopTime } from './followed-page.ts';

let page: ReturnType<typeof openPage>;

/** Opens another page than that of videos. */
async function openPageOf(kind: Kind): Promise<void> {
  page.close();
  page = openPage(kind);
  await page.open();
}

beforeEach(async () => {
  stopTime();
  page = openPage();
  await page.open();
});
afterEach(() => {
  page.close();
  letTimeGoOn();
});

describe('the polling of a generation', () => {
  it('asks at once, then every 10 seconds while all is well', async () => {
    await page.start('g1');
    for (let poll = 0; poll < 3; poll += 1) {
      await page.answer('g1', 'generating');
      await page.pass(10_000);
    }
    expect(page.askedAt()).toEqual([0, 10_000, 20_000, 30_000]);
    expect(page.followed).toMatchObject({ step: 'generating', pollCount: 3, progress: { share: 0.5 } });
  });

  it('asks as often as the tool wants', async () => {
    await openPageOf('model_change');
    await page.start('g1');
    await page.answer('g1', 'pending');
    await page.pass(3000);
    expect(page.askedAt()).toEqual([0, 3000]);
  });

  it('asks nothing while a question is under way', async () => {
    await page.start('g1');
    expect(page.followed?.isAsking).toBe(true);
    await page.pass(15_000);
    expect(page.askedAt()).toEqual([0]);
  });

  it('waits 10, 15, 22.5 and 30 seconds after failures in a row and gives up at the fifth', async () => {
    await page.start('g1');
    for (const pause of [10_000, 15_000, 22_500, 30_000, 300_000]) {
      await page.fail('g1');
      await page.pass(pause);
    }
    expect(page.askedAt()).toEqual([0, 10_000, 25_000, 47_500, 77_500]);
    expect(page.followed).toMatchObject({ step: 'error', failuresInARow: 5, status: 'pending' });
    expect(page.followed?.errors).toHaveLength(5);
    expect(page.toldKinds).toEqual(['unanswered', 'gave_up']);
  });

  it('counts the questions that were answered or failed, and no press to ask again', async () => {
    await page.start('g1');
    await page.fail('g1');
    await page.check();
    expect(page.followed).toMatchObject({ pollCount: 1, failuresInARow: 0 });
    await page.answer('g1', 'generating');
    expect(page.followed).toMatchObject({ pollCount: 2 });
  });

  it('of pictures comes every 10 seconds after failures, is never given up, and keeps the last five', async () => {
    await openPageOf('model_change');
    await page.start('g1');
    for (let failure = 1; failure <= 20; failure += 1) {
      await page.fail('g1', 'server');
      await page.pass(10_000);
    }
    expect(page.askedAt()).toEqual(Array.from({ length: 21 }, (_, question) => question * 10_000));
    expect(page.toldKinds).toEqual(['unanswered']);
    expect(page.followed).toMatchObject({ step: 'pending', failuresInARow: 5, pollCount: 20 });
    expect(page.followed?.errors).toHaveLength(5);
  });

  it('counts failures from zero after an answer, and announces the next one again', async () => {
    await page.start('g1');
    for (let failure = 1; failure <= 4; failure += 1) await page.fail('g1');
    await page.answer('g1', 'processing');
    expect(page.followed).toMatchObject({ failuresInARow: 0, errors: [], step: 'processing' });
    await page.fail('g1');
    expect(page.followed?.step).toBe('processing');
    expect(page.toldKinds).toEqual(['unanswered', 'unanswered']);
  });

  it('has the server’s own words for a failure, else the tool’s', async () => {
    await page.start('g1');
    await page.fail('g1', 'unavailable', 'Идут работы');
    await page.fail('g1', 'server');
    expect(page.followed?.errors).toEqual(['Идут работы', 'Ошибка опроса статуса']);
  });

  it('stops asking after 25 minutes, while the server may go on', async () => {
    await page.start('g1');
    await page.pass(25 * MINUTE_MS - 1);
    await page.answer('g1', 'generating');
    expect(page.followed?.step).toBe('generating');
    await page.pass(10_000);
    await page.answer('g1', 'generating');
    const before = page.askedAt().length;
    await page.pass(MINUTE_MS);
    expect(page.askedAt()).toHaveLength(before);
    expect(page.followed).toMatchObject({ step: 'timeout', status: 'generating' });
    expect(page.followed && isRunning(page.followed)).toBe(true);
    expect(page.toldKinds).toEqual(['timeout']);
  });

  it('goes on for another 25 minutes when the person asks to check again', async () => {
    await page.start('g1');
    await page.pass(26 * MINUTE_MS);
    await page.answer('g1', 'generating');
    await page.check();
    expect(page.followed).toMatchObject({ step: 'generating', isAsking: true });
    await page.pass(24 * MINUTE_MS);
    await page.answer('g1', 'generating');
    expect(page.followed?.step).toBe('generating');
    expect(page.askedAt()).toHaveLength(2);
    await page.pass(10_000);
    expect(page.askedAt()).toHaveLength(3);
  });

  it('takes a result that is ready even when the 25 minutes are over', async () => {
    await page.start('g1');
    await page.pass(40 * MINUTE_MS);
    await page.answer('g1', 'completed');
    expect(page.followed?.step).toBe('completed');
    expect(page.toldKinds).toEqual(['completed']);
  });

  it.each(['video', 'model_change'] as const)(
    'of a %s rests while nobody is signed in, gives nothing up and writes nothing',
    async (kind) => {
      await openPageOf(kind);
      await page.start('g1');
      const before = page.log.length;
      await page.fail('g1', 'signed_out');
      await page.pass(MINUTE_MS);
      expect(page.askedAt()).toEqual([0]);
      expect(page.followed?.step).toBe('pending');
      expect(page.log).toHaveLength(before);
    },
  );

  it('counts a question without an answer for 20 seconds as failed', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const limit = new AbortController();
      setTimeout(() => limit.abort(new DOMException('late', 'TimeoutError')), ms);
      return limit.signal;
    });
    await page.start('g1');
    await page.pass(30_000);
    expect(page.askedAt()).toEqual([0, 30_000]);
  });

  it('takes another tool’s generation for an unknown one', async () => {
    await page.link('g1');
    await page.answer('g1', 'generating', { kind: 'model_change' });
    expect(page.followed).toMatchObject({ step: 'critical_error', errors: ['Генерация не найдена'] });
  });

  it.each([-3, 3])('counts the minutes by the server, with a device %i hours off', async (hours) => {
    const now = START + 5 * MINUTE_MS;
    const deviceNow = now + hours * 60 * MINUTE_MS;
    vi.setSystemTime(deviceNow);
    measureClockSkew(new Date(now).toUTCString(), deviceNow);
    await page.link('g1');
    await page.answer('g1', 'generating');
    expect(Date.now() - (page.followed?.startedAt ?? 0)).toBe(5 * MINUTE_MS);
  });

  it('stores each new state on the device', async () => {
    await page.start('g1');
    await page.answer('g1', 'generating');
    expect(page.log).toEqual(['save g1 pending', 'save g1 generating']);
  });

  it('ends with the page: nothing is asked, announced or stored any more', async () => {
    await page.start('g1');
    const before = page.log.length;
    page.controller.close();
    await page.pass(MINUTE_MS);
    expect(page.askedAt()).toEqual([0]);
    expect(page.log).toHaveLength(before);
    expect(page.followed).toBeNull();
  });

  it('asks no more about a generation that gave way to another', async () => {
    await page.start('g1');
    await page.answer('g1', 'completed');
    await page.start('g2');
    await page.pass(MINUTE_MS);
    expect(page.askedAt('g1')).toHaveLength(1);
    expect(page.followed).toMatchObject({ generationId: 'g2', step: 'pending' });
  });
});

describe('the network and the tab', () => {
  it('pauses without a network and asks at once when it is back', async () => {
    await page.start('g1');
    await page.goOffline();
    await page.fail('g1');
    await page.pass(70_000);
    expect(page.askedAt()).toEqual([0]);
    await page.goOnline();
    expect(page.askedAt()).toEqual([0, 70_000]);
    expect(page.followed?.step).toBe('pending');
  });

  it('does not start asking by itself when the network returns after it has given up', async () => {
    await page.start('g1');
    for (let failure = 1; failure <= 5; failure += 1) await page.fail('g1');
    const before = page.askedAt().length;
    await page.goOffline();
    await page.goOnline();
    await page.pass(MINUTE_MS);
    expect(page.askedAt()).toHaveLength(before);
    expect(page.followed?.step).toBe('error');
  });

  it('asks nothing about what it finds without a network, and at once when there is one', async () => {
    await page.goOffline();
    await page.link('g1');
    await page.pass(30_000);
    expect(page.followed?.generationId).toBe('g1');
    expect(page.askedAt()).toEqual([]);
    await page.goOnline();
    expect(page.askedAt()).toEqual([30_000]);
  });

  it('asks when the tab comes back, but not twice within two seconds, nor in a pause after failures', async () => {
    await page.start('g1');
    await page.pass(1);
    await page.answer('g1', 'generating');
    await page.pass(1999);
    await page.comeBack();
    expect(page.askedAt()).toEqual([0]);
    await page.pass(1);
    await page.comeBack();
    expect(page.askedAt()).toEqual([0, 2001]);
    await page.fail('g1');
    await page.pass(5000);
    await page.comeBack();
    expect(page.askedAt()).toEqual([0, 2001]);
    await page.pass(5000);
    expect(page.askedAt()).toEqual([0, 2001, 12_001]);
  });
});

describe('an event of the server', () => {
  it('makes the page ask at once', async () => {
    await page.start('g1');
    await page.answer('g1', 'generating');
    await page.pass(500);
    await page.announceEvent();
    expect(page.askedAt()).toEqual([0, 500]);
  });

  it('that comes during a question leads to another one, because the answer may be older', async () => {
    await page.start('g1');
    await page.pass(50);
    await page.announceEvent();
    expect(page.askedAt()).toEqual([0, 50]);
  });

  it('finds the end of what the page had stopped asking about', async () => {
    await page.start('g1');
    await page.pass(26 * MINUTE_MS);
    await page.answer('g1', 'generating');
    await page.announceEvent();
    await page.answer('g1', 'generating');
    expect(page.followed?.step).toBe('timeout');
    await page.announceEvent();
    await page.answer('g1', 'completed');
    expect(page.toldKinds).toEqual(['timeout', 'completed']);
  });

  it('followed by the next poll says an end once', async () => {
    await page.start('g1');
    await page.announceEvent();
    await page.answer('g1', 'completed');
    await page.announceEvent();
    await page.answer('g1', 'completed');
    expect(page.toldKinds).toEqual(['completed']);
  });

  it('does not ask without a network, nor about what the server does not know', async () => {
    await page.start('g1');
    await page.answer('g1', 'generating');
    await page.goOffline();
    await page.announceEvent();
    expect(page.askedAt()).toHaveLength(1);
    await page.goOnline();
    await page.fail('g1', 'lost');
    const before = page.askedAt().length;
    await page.announceEvent();
    expect(page.askedAt()).toHaveLength(before);
  });
});

it('another part of the page that shows the same shares the questions, and goes on when the tool is left', async () => {
  await page.start('g1');
  const card = new QueryObserver(page.queryClient, generationQuery('g1'));
  card.subscribe(() => undefined);
  await page.answer('g1', 'generating');
  expect(card.getCurrentResult().data?.view?.status).toBe('generating');
  await page.pass(10_000);
  expect(page.askedAt()).toEqual([0, 10_000]);
  page.controller.close();
  await page.answer('g1', 'generating');
  await page.pass(10_000);
  expect(page.askedAt()).toEqual([0, 10_000, 20_000]);
  await page.answer('g1', 'completed');
  await page.pass(MINUTE_MS);
  expect(page.askedAt()).toHaveLength(3);
  card.destroy();
});
