import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { removeDevice } from '#pwa/features/notifications/push-devices.ts';
import type { PushDevice } from '#shared/contract/push-devices.ts';

const ID = '0198a5f0-0000-7000-8000-000000000001';
const device = (isCurrent: boolean) => ({ id: ID, isCurrent }) as PushDevice;
const unsubscribe = vi.fn(async () => true);
const removeItem = vi.fn();
let asked: string[];
let answer: () => Response;
beforeEach(() => {
  unsubscribe.mockClear();
  asked = [];
  answer = () => new Response(null, { status: 204 });
  const registration = { pushManager: { getSubscription: async () => ({ unsubscribe }) } };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration }, onLine: true });
  vi.stubGlobal('window', { PushManager: {}, Notification: {} });
  vi.stubGlobal('localStorage', { getItem: () => null, removeItem });
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    asked.push(`${method} ${url}`);
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

test('notifications of this browser end even when the server is not known to have it', async () => {
  await removeDevice(null);
  expect([asked, unsubscribe.mock.calls.length]).toEqual([[], 1]);
});

test('this browser ends them at the server and here, another one at the server only', async () => {
  await removeDevice(device(true));
  await removeDevice(device(false));
  expect(asked).toEqual(Array(2).fill(`DELETE /api/notifications/devices/${ID}`));
  expect(unsubscribe).toHaveBeenCalledOnce();
});

test('without an answer of the server nothing ends, unless it says that there is nothing to end', async () => {
  answer = () => Response.json({ code: 'unavailable', message: 'Позже' }, { status: 503 });
  await expect(removeDevice(device(true))).rejects.toThrow();
  expect(unsubscribe).not.toHaveBeenCalled();
  answer = () => Response.json({ code: 'push_device_not_found', message: 'Нет' }, { status: 404 });
  await removeDevice(device(true));
  expect(unsubscribe).toHaveBeenCalledOnce();
});
