import { describe, expect, it } from 'vitest';
import { isRunning } from '#pwa/features/generations/followed-generation.ts';
import { MINUTE_MS, PATIENT, play, START, STEADY, seedOf, viewOf } from './machine-play.ts';

describe('the polling of a generation', () => {
  it('asks at once, then every 10 seconds while all is well', () => {
    const page = play();
    page.start('g1');
    expect(page.followed?.nextPollAt).toBe(START);
    for (let poll = 0; poll < 6; poll += 1) {
      page.answer('g1', 'generating');
      expect(page.followed?.nextPollAt).toBe(page.now + 10_000);
      page.pass(10_000);
    }
    expect(page.followed).toMatchObject({ step: 'generating', pollCount: 6, progress: { share: 0.5 } });
  });

  it('asks as often as the tool wants', () => {
    const page = play(STEADY);
    page.start('g1');
    page.answer('g1', 'pending');
    expect(page.followed?.nextPollAt).toBe(START + 3000);
  });

  it('asks nothing while a question is under way', () => {
    const page = play();
    page.start('g1');
    page.send({ type: 'asked', id: 'g1' });
    expect(page.followed).toMatchObject({ isAsking: true, nextPollAt: null });
  });

  it('waits 10, 15, 22.5 and 30 seconds after failures in a row and gives up at the fifth', () => {
    const page = play();
    page.start('g1');
    const pauses: (number | null)[] = [];
    for (let failure = 1; failure <= 5; failure += 1) {
      page.fail('g1');
      pauses.push(page.followed?.nextPollAt ? page.followed.nextPollAt - page.now : null);
    }
    expect(pauses).toEqual([10_000, 15_000, 22_500, 30_000, null]);
    expect(page.followed).toMatchObject({ step: 'error', failuresInARow: 5, status: 'pending' });
    expect(page.followed?.errors).toHaveLength(5);
    expect(page.toldKinds).toEqual(['unanswered', 'gave_up']);
  });

  it('of pictures comes every 10 seconds after failures, and is never given up', () => {
    const page = play(STEADY);
    page.start('g1');
    for (let failure = 1; failure <= 50; failure += 1) {
      page.fail('g1', 'server');
      expect(page.followed?.nextPollAt).toBe(page.now + 10_000);
      page.pass(MINUTE_MS);
    }
    expect(page.toldKinds).toEqual(['unanswered']);
    expect(page.followed).toMatchObject({ step: 'pending', failuresInARow: 50 });
    expect(page.followed?.errors).toHaveLength(5);
  });

  it('counts failures from zero after an answer, and announces the next one again', () => {
    const page = play();
    page.start('g1');
    for (let failure = 1; failure <= 4; failure += 1) page.fail('g1');
    page.answer('g1', 'processing');
    expect(page.followed).toMatchObject({ failuresInARow: 0, errors: [], step: 'processing' });
    page.fail('g1');
    expect(page.followed).toMatchObject({ step: 'processing', nextPollAt: START + 10_000 });
    expect(page.toldKinds).toEqual(['unanswered', 'unanswered']);
  });

  it('has the server’s own words for a failure, else the tool’s', () => {
    const page = play();
    page.start('g1');
    page.fail('g1', 'unavailable', 'Идут работы');
    page.fail('g1', 'server');
    expect(page.followed?.errors).toEqual(['Идут работы', 'Ошибка опроса статуса']);
  });

  it('stops asking after 25 minutes, while the server may go on', () => {
    const page = play();
    page.start('g1');
    page.pass(25 * MINUTE_MS - 1);
    page.answer('g1', 'generating');
    expect(page.followed?.step).toBe('generating');
    page.pass(1);
    page.answer('g1', 'generating');
    expect(page.followed).toMatchObject({ step: 'timeout', status: 'generating', nextPollAt: null });
    expect(page.followed && isRunning(page.followed)).toBe(true);
    expect(page.toldKinds).toEqual(['timeout']);
  });

  it('goes on for another 25 minutes when the person asks to check again', () => {
    const page = play();
    page.start('g1');
    page.pass(26 * MINUTE_MS);
    page.answer('g1', 'generating');
    page.send({ type: 'check_requested', at: page.now });
    expect(page.followed).toMatchObject({ step: 'generating', nextPollAt: page.now });
    page.pass(24 * MINUTE_MS);
    page.answer('g1', 'generating');
    expect(page.followed).toMatchObject({ step: 'generating', nextPollAt: page.now + 10_000 });
  });

  it('takes a result that is ready even when the 25 minutes are over', () => {
    const page = play();
    page.start('g1');
    page.pass(40 * MINUTE_MS);
    page.answer('g1', 'completed');
    expect(page.followed).toMatchObject({ step: 'completed', nextPollAt: null });
    expect(page.toldKinds).toEqual(['completed']);
  });

  it.each([PATIENT, STEADY])('rests while nobody is signed in, gives nothing up and writes nothing', (policy) => {
    const page = play(policy);
    page.start('g1');
    const before = page.effects.length;
    page.fail('g1', 'signed_out');
    expect(page.followed).toMatchObject({ step: 'pending', nextPollAt: null });
    expect(page.effects).toHaveLength(before);
  });

  it('drops the answer about a generation that is not followed any more', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'completed');
    page.start('g2');
    page.answer('g1', 'generating');
    page.fail('g1', 'lost');
    expect(page.followed).toMatchObject({ generationId: 'g2', step: 'pending', pollCount: 0 });
  });
});

describe('the network and the tab', () => {
  it('pauses without a network and asks at once when it is back', () => {
    const page = play();
    page.start('g1');
    page.send({ type: 'went_offline' });
    expect([page.state.isOnline, page.followed?.nextPollAt]).toEqual([false, null]);
    page.fail('g1');
    expect(page.followed?.nextPollAt).toBeNull();
    page.pass(70_000);
    page.send({ type: 'came_online', at: page.now });
    expect(page.followed).toMatchObject({ nextPollAt: page.now, step: 'pending' });
  });

  it('does not start asking by itself when the network returns after it has given up', () => {
    const page = play();
    page.start('g1');
    for (let failure = 1; failure <= 5; failure += 1) page.fail('g1');
    page.send({ type: 'went_offline' });
    page.send({ type: 'came_online', at: page.now });
    expect(page.followed).toMatchObject({ step: 'error', nextPollAt: null });
  });

  it('asks nothing about what it finds without a network, and at once when there is one', () => {
    const page = play();
    page.send({ type: 'went_offline' });
    page.open(seedOf('g1'));
    expect(page.followed).toMatchObject({ generationId: 'g1', nextPollAt: null });
    page.send({ type: 'came_online', at: page.now });
    expect(page.followed?.nextPollAt).toBe(page.now);
  });

  it('asks when the tab comes back, but not twice within two seconds, nor in a pause after failures', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'generating');
    page.pass(1999);
    page.send({ type: 'returned', at: page.now });
    expect(page.followed?.nextPollAt).toBe(START + 10_000);
    page.pass(1);
    page.send({ type: 'returned', at: page.now });
    expect(page.followed?.nextPollAt).toBe(page.now);
    page.fail('g1');
    page.pass(5000);
    page.send({ type: 'returned', at: page.now });
    expect(page.followed?.nextPollAt).toBe(START + 2000 + 10_000);
  });
});

describe('a nudge of the server', () => {
  it('makes the page ask at once, where it means this generation or any', () => {
    const page = play();
    page.start('g1');
    page.answer('g1', 'generating');
    page.pass(500);
    page.nudge('another');
    expect(page.followed?.nextPollAt).toBe(START + 10_000);
    page.nudge('g1');
    expect(page.followed?.nextPollAt).toBe(START + 500);
    page.answer('g1', 'generating');
    page.nudge(null);
    expect(page.followed?.nextPollAt).toBe(START + 500);
  });

  it('that comes during a poll leads to another one, because the answer may be older', () => {
    const page = play();
    page.start('g1');
    page.send({ type: 'asked', id: 'g1' });
    page.nudge('g1');
    page.pass(50);
    page.send({ type: 'answered', at: page.now, view: viewOf({ id: 'g1', status: 'generating' }), startedAt: START });
    expect(page.followed?.nextPollAt).toBe(START);
  });

  it('finds the end of what the page had stopped asking about', () => {
    const page = play();
    page.start('g1');
    page.pass(26 * MINUTE_MS);
    page.answer('g1', 'generating');
    page.nudge('g1');
    expect(page.followed).toMatchObject({ step: 'timeout', nextPollAt: page.now });
    page.answer('g1', 'generating');
    expect(page.followed).toMatchObject({ step: 'timeout', nextPollAt: null });
    page.nudge('g1');
    page.answer('g1', 'completed');
    expect(page.toldKinds).toEqual(['timeout', 'completed']);
  });

  it('followed by the next poll says an end once', () => {
    const page = play();
    page.start('g1');
    page.nudge('g1');
    page.answer('g1', 'completed');
    page.nudge('g1');
    page.answer('g1', 'completed');
    expect(page.toldKinds).toEqual(['completed']);
  });

  it('does not ask without a network, nor about what the server does not know', () => {
    const page = play();
    page.start('g1');
    page.send({ type: 'went_offline' });
    page.nudge('g1');
    expect(page.followed?.nextPollAt).toBeNull();
    page.send({ type: 'came_online', at: page.now });
    page.fail('g1', 'lost');
    page.nudge('g1');
    expect(page.followed?.nextPollAt).toBeNull();
  });
});
