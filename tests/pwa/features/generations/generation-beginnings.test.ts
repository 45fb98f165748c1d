import { describe, expect, it } from 'vitest';
import { MINUTE_MS, PATIENT, play, START, STEADY, seedOf } from './machine-play.ts';

describe('the restoring', () => {
  it('polls the recorded generation at once, with a new time limit, whatever state it was left in', () => {
    const page = play();
    page.pass(26 * MINUTE_MS);
    page.open(seedOf('g1', { status: 'generating', pollCount: 7 }));
    expect(page.state.isRestored).toBe(true);
    expect(page.followed).toMatchObject({ origin: 'record', step: 'generating', pollCount: 7, nextPollAt: page.now });
    page.answer('g1', 'generating');
    expect(page.followed).toMatchObject({ step: 'generating', nextPollAt: page.now + 10_000 });
    expect(page.toldKinds).toEqual(['resumed']);
  });

  it.each([
    ['completed', 'completed'],
    ['failed', 'failed'],
  ] as const)('of one that has %s meanwhile says how it ended', (status, kind) => {
    const page = play();
    page.open(seedOf('g1'));
    page.list(null);
    page.answer('g1', status);
    expect(page.toldKinds).toEqual(['resumed', kind]);
  });

  it('of one that the server does not know, or that is somebody else’s, ends there', () => {
    const page = play(STEADY);
    page.open(seedOf('g1'));
    page.fail('g1', 'lost');
    expect(page.followed).toBeNull();
    expect(page.effects).toContainEqual({ type: 'forget' });
  });

  it('leaves a record that is older than the watchdog’s limit, and removes it', () => {
    const page = play();
    page.pass(120 * MINUTE_MS);
    page.open(seedOf('g1'));
    expect(page.followed).toBeNull();
    expect(page.effects).toEqual([{ type: 'forget' }]);
    page.list('g1');
    expect(page.followed).toBeNull();
  });

  it('does not replace what the person has started meanwhile', () => {
    const page = play();
    page.start('g2');
    page.open(seedOf('g1'));
    page.list('g1');
    expect(page.followed?.generationId).toBe('g2');
  });

  it('follows what the server runs and this device knows nothing of', () => {
    const page = play(STEADY);
    page.open();
    page.list('g1');
    expect(page.followed).toMatchObject({ origin: 'server', subject: 'по списку', nextPollAt: page.now });
    expect(page.toldKinds).toEqual(['resumed']);
  });

  it('leaves alone what is followed already, and prefers the server’s word to the record', () => {
    const page = play();
    page.open(seedOf('g1', { subject: 'по устройству' }));
    page.list('g1');
    expect(page.followed?.subject).toBe('по устройству');
    page.list('g2');
    expect(page.followed).toMatchObject({ generationId: 'g2', origin: 'server' });
  });

  it('learns what it is made from, and when it began, from the first answer about a link', () => {
    const page = play();
    page.pass(5 * MINUTE_MS);
    page.link('g1');
    expect(page.followed).toMatchObject({ subject: 'неизвестно', startedAt: page.now });
    page.answer('g1', 'generating');
    expect(page.followed).toMatchObject({ subject: 'по ответу g1', startedAt: START });
  });
});

describe('another tab or another door', () => {
  it('that starts one later is joined where a strip can offer it, and not in the middle of a form', () => {
    const patient = play(PATIENT);
    patient.open();
    patient.list(null);
    patient.list('g2');
    expect(patient.followed).toMatchObject({ generationId: 'g2', origin: 'server' });
    const steady = play(STEADY);
    steady.open();
    steady.list(null);
    steady.list('g2');
    expect(steady.followed).toBeNull();
  });

  it('does not bring back what has ended here, by a list from before its end', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'completed');
    page.send({ type: 'released' });
    page.list('g1');
    expect(page.followed).toBeNull();
  });

  it('does not take the place of what runs here', () => {
    const page = play();
    page.open();
    page.start('g1');
    page.list('g0');
    expect(page.followed?.generationId).toBe('g1');
  });

  it('shows the one that stood in the way of a start', () => {
    const page = play(STEADY);
    page.open();
    page.list(null);
    page.send({ type: 'start_sent' });
    page.send({ type: 'start_failed', mayRun: true });
    page.send({ type: 'follow', at: page.now, seed: seedOf('g2', { startedAt: null }), origin: 'start' });
    expect(page.followed?.generationId).toBe('g2');
  });
});

describe('the start', () => {
  it('ignores a list from its middle, which may name what it is about to tell', () => {
    const page = play();
    page.open();
    page.send({ type: 'start_sent' });
    expect(page.state.isStarting).toBe(true);
    page.list('g1');
    expect(page.followed).toBeNull();
    page.start('g1');
    expect(page.state.isStarting).toBe(false);
    expect(page.followed).toMatchObject({ origin: 'start', subject: 'по устройству' });
    expect(page.toldKinds).toEqual([]);
  });

  it('whose answer was lost is found by the next list', () => {
    const page = play(STEADY);
    page.open();
    page.list(null);
    page.send({ type: 'start_sent' });
    page.send({ type: 'start_failed', mayRun: true });
    expect(page.state).toMatchObject({ isStarting: false, isListed: false });
    page.list('g1');
    expect(page.followed?.generationId).toBe('g1');
  });

  it('repeated after a lost answer goes on with the generation that was found', () => {
    const page = play();
    page.open();
    page.send({ type: 'start_sent' });
    page.send({ type: 'start_failed', mayRun: true });
    page.list('g1');
    page.answer('g1', 'generating');
    page.start('g1');
    expect(page.followed).toMatchObject({ generationId: 'g1', step: 'generating', pollCount: 1 });
    expect(page.state.isStarting).toBe(false);
  });

  it('that was refused leaves the list as it was', () => {
    const page = play(STEADY);
    page.open();
    page.list(null);
    page.send({ type: 'start_sent' });
    page.send({ type: 'start_failed', mayRun: false });
    page.list('g1');
    expect(page.followed).toBeNull();
  });

  it('that is answered with its end says it once, and asks for the details', () => {
    const page = play(STEADY);
    const early = { status: 'completed', url: '/result.jpg', starsSpent: 1 } as const;
    page.send({ type: 'follow', at: START, seed: seedOf('g1', { early }), origin: 'start' });
    expect(page.followed).toMatchObject({ step: 'completed', nextPollAt: START, view: null });
    page.fail('g1', 'unavailable');
    expect(page.followed).toMatchObject({ step: 'completed', nextPollAt: null });
    page.nudge('g1');
    page.answer('g1', 'completed');
    expect(page.followed?.view?.results).toHaveLength(1);
    expect(page.toldKinds).toEqual(['completed']);
  });

  it('that is answered with an end without a file asks before it says anything', () => {
    const page = play(STEADY);
    const early = { status: 'completed', url: null, starsSpent: 1 } as const;
    page.send({ type: 'follow', at: START, seed: seedOf('g1', { early }), origin: 'start' });
    expect(page.toldKinds).toEqual([]);
    page.answer('g1', 'completed', { files: 0 });
    expect(page.toldKinds).toEqual(['missing']);
  });
});
