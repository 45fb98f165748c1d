import { describe, expect, it } from 'vitest';
import { isLost } from '#pwa/features/generations/status-query.ts';
import { modelChangeStatusQuery } from '#pwa/features/model-changes/model-change-status.ts';
import { photosessionStatusQuery } from '#pwa/features/photosessions/photosession-status.ts';
import { ApiError } from '#pwa/lib/api-error.ts';

/** When the page asks again after an answer or an error. */
function pauseAfter(query: { refetchInterval?: unknown }, data: unknown, error: unknown = null): number | false {
  const next = query.refetchInterval as (asked: { state: { data: unknown; error: unknown } }) => number | false;
  return next({ state: { data, error } });
}

const change = modelChangeStatusQuery('r1');
const session = photosessionStatusQuery('s1');
const processing = { status: 'processing' };

describe('the polling of a status', () => {
  it('of a change of model comes every 3 seconds until its end', () => {
    expect([undefined, { status: 'QUEUED' }].map((data) => pauseAfter(change, data))).toEqual([3000, 3000]);
    expect(['COMPLETED', 'FAILED'].map((status) => pauseAfter(change, { status }))).toEqual([false, false]);
  });

  it('of a photo session comes every 5 seconds until its end', () => {
    expect([undefined, processing].map((data) => pauseAfter(session, data))).toEqual([5000, 5000]);
    expect(['completed', 'failed'].map((status) => pauseAfter(session, { status }))).toEqual([false, false]);
  });

  it.each([403, 404, 410])('gives up for good at %d', (status) => {
    const error = new ApiError(status, 'x');
    expect(isLost(error)).toBe(true);
    expect(pauseAfter(session, processing, error)).toBe(false);
  });

  it.each([0, 429, 500, 502, 503])('goes on, more slowly, after %d', (status) => {
    const error = new ApiError(status, 'x');
    expect(isLost(error)).toBe(false);
    expect(pauseAfter(session, processing, error)).toBe(10_000);
  });

  it('rests while nobody is signed in, and gives nothing up', () => {
    const error = new ApiError(401, 'x');
    expect(pauseAfter(session, processing, error)).toBe(false);
    expect(isLost(error)).toBe(false);
  });
});
