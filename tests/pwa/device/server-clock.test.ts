import { afterEach, describe, expect, test, vi } from 'vitest';
import { callApi } from '#pwa/client/api-client.ts';
import { measureClockSkew, toDeviceTime } from '#pwa/device/server-clock.ts';
import { listActiveGenerations } from '#shared/contract/videos.ts';

const SERVER_NOW = Date.parse('2026-11-21T12:00:00Z');
const DEVICE_NOW = Date.parse('2026-11-21T15:00:00Z');

afterEach(() => {
  measureClockSkew(new Date(0).toUTCString(), 0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the server’s clock', () => {
  test('is learnt from the answers of the API', async () => {
    vi.useFakeTimers({ now: DEVICE_NOW });
    const body = { activeGenerations: [] };
    vi.stubGlobal('fetch', async () => Response.json(body, { headers: { date: new Date(SERVER_NOW).toUTCString() } }));
    await callApi(listActiveGenerations);
    expect(toDeviceTime('2026-11-21T11:59:00Z')).toBe(DEVICE_NOW - 60_000);
  });

  test('is taken as the device’s own as long as no answer names it', () => {
    measureClockSkew(null, DEVICE_NOW);
    expect(toDeviceTime('2026-11-21T12:00:00Z')).toBe(SERVER_NOW);
  });
});
