import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isPushHost } from '#api/adapters/push/web-push-sender.ts';
import { readConfig } from '#api/config/config.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'podium-push-'));
const { hosts } = readConfig({ DATA_DIR: folder }).push;

afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
])('%s is a push service', (endpoint) => expect(isPushHost(endpoint, hosts)).toBe(true));

test.each([
  'http://fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com:8443/abc',
  'https://fcm.googleapis.com.evil.example/abc',
  'https://evil.example/fcm.googleapis.com',
  'https://fcm.googleapis.com@evil.example/abc',
  'https://user:secret@fcm.googleapis.com/abc',
  'https://notify.windows.com/abc',
  'https://evilpush.services.mozilla.com/abc',
  'https://127.0.0.1/abc',
  'https://[::1]/abc',
  'https://localhost:3000/api',
  'https://169.254.169.254/latest/meta-data',
  'not an address',
])('%s is none', (endpoint) => expect(isPushHost(endpoint, hosts)).toBe(false));
