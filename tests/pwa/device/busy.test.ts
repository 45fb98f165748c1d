import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginWork, isBusy, whenIdle } from '#pwa/device/busy.ts';

let place: { pathname: string };
beforeEach(() => {
  vi.useFakeTimers();
  place = { pathname: '/app' };
  vi.stubGlobal('location', place);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an action without work in progress runs at once', () => {
  const action = vi.fn();
  whenIdle(action);
  expect(action).toHaveBeenCalledOnce();
});

test('a page of a payment is left alone until the person has left it', () => {
  const action = vi.fn();
  place.pathname = '/payment/success';
  whenIdle(action);
  vi.advanceTimersByTime(60_000);
  expect(action).not.toHaveBeenCalled();
  place.pathname = '/app';
  vi.advanceTimersByTime(5000);
  expect(action).toHaveBeenCalledOnce();
});

test('an action waits for all work to end, and ending twice counts once', () => {
  const action = vi.fn();
  const [endFirst, endSecond] = [beginWork(), beginWork()];
  whenIdle(action);
  endFirst();
  endFirst();
  vi.advanceTimersByTime(5000);
  expect([isBusy(), action.mock.calls.length]).toEqual([true, 0]);
  endSecond();
  vi.advanceTimersByTime(5000);
  expect([isBusy(), action.mock.calls.length]).toEqual([false, 1]);
});
