import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRunning } from '#pwa/features/generations/followed-generation.ts';
import { type Kind, letTimeGoOn, MINUTE_MS, openPage, stopTime } from './followed-page.ts';

let page: ReturnType<typeof openPage>;

/** A page whose generation has been started. */
async function follow(kind: Kind = 'video'): Promise<void> {
  page = openPage(kind);
  await page.open();
  await page.start('g1');
}

beforeEach(stopTime);
afterEach(() => {
  page.close();
  letTimeGoOn();
});

describe('the end of a generation', () => {
  it('clears the record, refreshes what it changes and is announced with the server’s text', async () => {
    await follow();
    await page.answer('g1', 'failed', { failureCode: 'photo_unsuitable' });
    expect(new Set(page.log.slice(-3))).toEqual(new Set(['forget', 'refresh', 'tell failed']));
    expect(page.announced).toMatchObject([{ kind: 'failed', message: expect.stringContaining('не подошло') }]);
    await page.pass(MINUTE_MS);
    expect(page.askedAt()).toHaveLength(1);
    expect(page.followed?.step).toBe('failed');
  });

  it('is not asked about when the tab comes back, nor by «check again»', async () => {
    await follow();
    await page.answer('g1', 'failed');
    await page.check();
    await page.pass(5000);
    await page.comeBack();
    expect(page.askedAt()).toHaveLength(1);
    expect(page.followed?.step).toBe('failed');
  });

  it('is that a file is missing where it has completed without one', async () => {
    await follow();
    await page.answer('g1', 'completed', { files: 0 });
    expect(page.toldKinds).toEqual(['missing']);
  });

  it('by a cancellation elsewhere leaves nothing to show', async () => {
    await follow();
    await page.answer('g1', 'failed', { failureCode: 'cancelled' });
    expect(page.followed).toBeNull();
    expect(page.announced).toEqual([{ kind: 'cancelled', message: 'Генерация отменена, звёзды возвращены' }]);
  });

  it('with a result that comes late shows it and says nothing more', async () => {
    await follow();
    await page.answer('g1', 'failed', { failureCode: 'timed_out' });
    await page.answer('g1', 'completed');
    expect(page.followed).toMatchObject({ step: 'completed', view: { status: 'completed' } });
    expect(page.toldKinds).toEqual(['failed']);
    expect(page.log.slice(-2)).toEqual(['refresh', 'reveal']);
  });

  it('is never taken back, neither by an older answer nor by a failed question', async () => {
    await follow();
    await page.answer('g1', 'completed');
    await page.answer('g1', 'generating');
    await page.answer('g1', 'failed');
    await page.fail('g1', 'lost');
    await page.fail('g1');
    expect(page.followed).toMatchObject({ step: 'completed', view: { status: 'completed' }, failuresInARow: 0 });
    expect(page.toldKinds).toEqual(['completed']);
  });

  it('is said once, though the person asks to see it again', async () => {
    await follow();
    await page.answer('g1', 'failed');
    await page.release();
    await page.link('g1');
    await page.answer('g1', 'failed');
    expect(page.followed).toMatchObject({ generationId: 'g1', step: 'failed' });
    expect(page.toldKinds).toEqual(['failed']);
  });

  it.each([
    ['completed', true],
    ['failed', false],
  ] as const)('%s before a link opened it is shown without a word', async (status, isRevealed) => {
    page = openPage('video');
    await page.open();
    await page.link('g1');
    await page.answer('g1', status);
    expect(page.followed?.step).toBe(status);
    expect(page.toldKinds).toEqual([]);
    expect(page.log.includes('reveal')).toBe(isRevealed);
  });

  it('is told of a generation that still ran when a link opened it', async () => {
    page = openPage('video');
    await page.open();
    await page.link('g1');
    await page.answer('g1', 'generating');
    await page.answer('g1', 'completed');
    expect(page.toldKinds).toEqual(['completed']);
  });

  it('with a file that has been deleted since shows the others', async () => {
    await follow();
    await page.answer('g1', 'completed', { files: 5 });
    await page.answer('g1', 'completed', { files: 4 });
    expect(page.followed?.view?.results).toHaveLength(4);
  });

  it('gives way to the form when the person is done with it; a running one stays', async () => {
    await follow();
    await page.release();
    expect(page.followed?.generationId).toBe('g1');
    await page.answer('g1', 'completed');
    await page.release();
    expect(page.followed).toBeNull();
  });

  it.each(['lost', 'foreign'] as const)('that is %s for the server is shown as a problem', async (why) => {
    await follow('video');
    await page.fail('g1', why, 'Нет');
    expect(page.followed).toMatchObject({ step: 'critical_error', errors: ['Нет'] });
    expect(page.followed && isRunning(page.followed)).toBe(false);
    await page.pass(MINUTE_MS);
    expect(page.askedAt()).toEqual([0]);
    expect(page.toldKinds).toEqual(['lost']);
  });

  it('that the server does not know gives way to the form where there is one', async () => {
    await follow('model_change');
    await page.fail('g1', 'lost');
    expect(page.followed).toBeNull();
    expect(page.log).toContain('forget');
    expect(page.toldKinds).toEqual(['lost']);
  });
});

describe('the cancelling', () => {
  it('that succeeds leaves nothing to show and says what came of it', async () => {
    await follow();
    await page.cancel();
    expect(page.state.cancelling).toBe('g1');
    await page.answerCancel('cancelled');
    expect(page.state).toMatchObject({ followed: null, cancelling: null });
    expect(page.announced).toEqual([{ kind: 'cancelled', message: 'Остановлена' }]);
    expect(new Set(page.log.slice(-3))).toEqual(new Set(['forget', 'refresh', 'tell cancelled']));
  });

  it.each(['failed', 'completed'] as const)(
    'is announced to the person, even when an event says first that it %s',
    async (status) => {
      await follow();
      await page.cancel();
      await page.answer('g1', status, { failureCode: 'cancelled' });
      expect(page.toldKinds).toEqual([]);
      expect(page.followed?.step).toBe('pending');
      await page.answerCancel('cancelled');
      expect(page.announced).toEqual([{ kind: 'cancelled', message: 'Остановлена' }]);
    },
  );

  it('pressed twice is sent once', async () => {
    await follow();
    await page.cancel();
    await page.cancel();
    expect(page.countCancels()).toBe(1);
  });

  it('that comes too late says how it ended', async () => {
    await follow();
    await page.cancel();
    await page.answer('g1', 'completed');
    await page.answerCancel(null);
    expect(page.toldKinds).toEqual(['cancel_failed', 'completed']);
  });

  it('that comes too late asks at once how it ended where that is not known', async () => {
    await follow();
    await page.answer('g1', 'generating');
    await page.cancel();
    await page.pass(1000);
    await page.answerCancel(null);
    expect(page.askedAt()).toEqual([0, 1000]);
  });

  it.each([
    ['is followed on', 'video', 'g1'],
    ['gives way to the form', 'model_change', null],
  ] as const)('of a generation that cannot be stopped: it %s', async (_, kind, id) => {
    await follow(kind);
    await page.cancel();
    await page.answerCancel('runs_on', 'Идёт дальше');
    expect(page.followed?.generationId ?? null).toBe(id);
    expect(page.toldKinds).toEqual(['runs_on']);
  });

  it('answered after the page has gone on to another leaves that one alone', async () => {
    await follow();
    await page.cancel();
    await page.link('g2');
    await page.answerCancel('cancelled');
    expect(page.followed?.generationId).toBe('g2');
    expect(page.log).not.toContain('forget');
    expect(page.toldKinds).toEqual(['cancelled']);
  });
});
