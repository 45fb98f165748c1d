import { describe, expect, it } from 'vitest';
import { isRunning } from '#pwa/features/generations/followed-generation.ts';
import { PATIENT, play, STEADY } from './machine-play.ts';

describe('the end of a generation', () => {
  it('clears the record, refreshes what it changes and is announced with the server’s text', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'failed', { failureCode: 'photo_unsuitable' });
    expect(page.effects.slice(-3)).toMatchObject([
      { type: 'forget' },
      { type: 'refresh' },
      { type: 'tell', outcome: { kind: 'failed', message: expect.stringContaining('не подошло') } },
    ]);
    expect(page.followed).toMatchObject({ step: 'failed', nextPollAt: null });
  });

  it('is polled only when the person asks for it', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'failed');
    page.send({ type: 'check_requested', at: page.now });
    page.send({ type: 'returned', at: page.now + 5000 });
    expect(page.followed).toMatchObject({ step: 'failed', nextPollAt: null });
  });

  it('is that a file is missing where it has completed without one', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'completed', { files: 0 });
    expect(page.toldKinds).toEqual(['missing']);
  });

  it('by a cancellation elsewhere leaves nothing to show', () => {
    const page = play();
    page.start('g1');
    page.nudge('g1');
    page.answer('g1', 'failed', { failureCode: 'cancelled' });
    expect(page.followed).toBeNull();
    expect(page.told).toEqual([{ kind: 'cancelled', message: 'Генерация отменена, звёзды возвращены' }]);
  });

  it('with a result that comes late shows it and says nothing more', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'failed', { failureCode: 'timed_out' });
    page.nudge('g1');
    expect(page.followed?.nextPollAt).toBe(page.now);
    page.answer('g1', 'completed');
    expect(page.followed).toMatchObject({ step: 'completed', view: { status: 'completed' } });
    expect(page.toldKinds).toEqual(['failed']);
    expect(page.effects.slice(-2)).toMatchObject([{ type: 'refresh' }, { type: 'reveal' }]);
  });

  it('is never taken back, neither by an older answer nor by a failed question', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'completed');
    page.answer('g1', 'generating');
    page.answer('g1', 'failed');
    page.nudge('g1');
    page.fail('g1', 'lost');
    page.fail('g1');
    expect(page.followed).toMatchObject({ step: 'completed', view: { status: 'completed' }, nextPollAt: null });
    expect(page.toldKinds).toEqual(['completed']);
  });

  it('is said once, though the person asks to see it again', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'failed');
    page.send({ type: 'released' });
    page.link('g1');
    page.answer('g1', 'failed');
    expect(page.followed).toMatchObject({ generationId: 'g1', step: 'failed' });
    expect(page.toldKinds).toEqual(['failed']);
  });

  it('with a file that has been deleted since shows the others', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'completed', { files: 5 });
    page.nudge(null);
    page.answer('g1', 'completed', { files: 4 });
    expect(page.followed?.view?.results).toHaveLength(4);
  });

  it('gives way to the form when the person is done with it; a running one stays', () => {
    const page = play();
    page.start('g1');
    page.send({ type: 'released' });
    expect(page.followed?.generationId).toBe('g1');
    page.answer('g1', 'completed');
    page.send({ type: 'released' });
    expect(page.followed).toBeNull();
  });

  it('that the server does not know is shown as a problem or gives way to the form', () => {
    const patient = play(PATIENT);
    patient.start('g1');
    patient.fail('g1', 'lost', 'Генерация не найдена');
    expect(patient.followed).toMatchObject({
      step: 'critical_error',
      nextPollAt: null,
      errors: ['Генерация не найдена'],
    });
    expect(patient.followed && isRunning(patient.followed)).toBe(false);
    const steady = play(STEADY);
    steady.start('g1');
    steady.fail('g1', 'lost');
    expect(steady.followed).toBeNull();
    expect(steady.effects).toContainEqual({ type: 'forget' });
    for (const page of [patient, steady]) expect(page.toldKinds).toEqual(['lost']);
  });
});

describe('the cancelling', () => {
  const cancelled = (page: ReturnType<typeof play>, id = 'g1') =>
    page.send({ type: 'cancel_answered', at: page.now, id, outcome: 'cancelled', message: 'Остановлена' });

  it('that succeeds leaves nothing to show and says what came of it', () => {
    const page = play();
    page.start('g1');
    page.send({ type: 'cancel_sent', id: 'g1' });
    expect(page.state.cancelling).toBe('g1');
    cancelled(page);
    expect(page.state).toMatchObject({ followed: null, cancelling: null });
    expect(page.told).toEqual([{ kind: 'cancelled', message: 'Остановлена' }]);
    expect(page.effects.slice(-3)).toMatchObject([{ type: 'forget' }, { type: 'refresh' }, { type: 'tell' }]);
  });

  it.each(['failed', 'completed'] as const)(
    'is announced to the person, even when a nudge says first that it %s',
    (status) => {
      const page = play();
      page.start('g1');
      page.send({ type: 'cancel_sent', id: 'g1' });
      page.nudge('g1');
      page.answer('g1', status, { failureCode: 'cancelled' });
      expect(page.toldKinds).toEqual([]);
      expect(page.followed?.nextPollAt).toBeNull();
      cancelled(page);
      expect(page.told).toEqual([{ kind: 'cancelled', message: 'Остановлена' }]);
    },
  );

  it('that comes too late asks how it ended, and says that', () => {
    const page = play();
    page.start('g1');
    page.send({ type: 'cancel_sent', id: 'g1' });
    page.answer('g1', 'completed');
    page.send({ type: 'cancel_failed', at: page.now, id: 'g1', message: 'Генерация уже завершена' });
    expect(page.followed?.nextPollAt).toBe(page.now);
    page.answer('g1', 'completed');
    expect(page.toldKinds).toEqual(['cancel_failed', 'completed']);
  });

  it('of a generation that cannot be stopped follows it on or gives way to the form', () => {
    for (const [policy, id] of [
      [PATIENT, 'g1'],
      [STEADY, null],
    ] as const) {
      const page = play(policy);
      page.start('g1');
      page.send({ type: 'cancel_sent', id: 'g1' });
      page.send({ type: 'cancel_answered', at: page.now, id: 'g1', outcome: 'runs_on', message: 'Идёт дальше' });
      expect(page.followed?.generationId ?? null).toBe(id);
      expect(page.toldKinds).toEqual(['runs_on']);
    }
  });

  it('answered after the page has gone on to another leaves that one alone', () => {
    const page = play();
    page.start('g1');
    page.send({ type: 'cancel_sent', id: 'g1' });
    page.link('g2');
    cancelled(page);
    expect(page.followed?.generationId).toBe('g2');
    expect(page.effects.filter(({ type }) => type === 'forget')).toEqual([]);
    expect(page.toldKinds).toEqual(['cancelled']);
  });
});
