import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, describeError } from '#pwa/client/api-error.ts';
import { localizeEngineDay } from '#pwa/client/engine-day.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { GENERATION_FAILURES } from '#shared/rules/generation-lifecycle.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['Europe/Moscow', '03:00'],
  ['Asia/Vladivostok', '10:00'],
  ['Europe/London', '00:00'],
])('pages tell in the zone of the device when generations can go on: %s', (zone, time) => {
  vi.stubEnv('TZ', zone);
  const now = Date.parse('2026-11-22T19:30:00.000Z');
  const { message } = ERRORS.engine_share_reached;
  expect(localizeEngineDay(message, now)).toMatch(new RegExp(`Продолжить можно после ${time}$`));
  expect(localizeEngineDay(GENERATION_FAILURES.engine_refusals_reached, now)).toContain(`после ${time} с другим фото`);
  expect(describeError(new ApiError(429, 'x', { code: 'engine_share_reached', message }), '')).not.toContain('Москве');
});
