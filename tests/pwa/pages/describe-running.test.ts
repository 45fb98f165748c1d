import { expect, test } from 'vitest';
import { describeRunning } from '#pwa/pages/app-page/describe-running.ts';
import type { ActiveGeneration } from '#shared/contract/videos.ts';
import type { FrameSort } from '#shared/rules/tool-abilities.ts';

type Kind = ActiveGeneration['kind'];

/** The line of a strip; no-break spaces are a matter of typography, not of words. */
function describe(
  kind: Kind,
  expectedSeconds: number | null,
  {
    elapsedSeconds = 3,
    share = 0.4,
    made = kind as ActiveGeneration['made'],
    frameSort = 'views' as FrameSort,
    isRemote = false,
  } = {},
): string {
  const progress = { share, expectedSeconds, startedAt: new Date().toISOString(), finishedAt: null, isRemote };
  const { title, stage, wait } = describeRunning(
    { kind, made, status: 'generating', progress },
    frameSort,
    elapsedSeconds,
  );
  return `${title}: ${stage}. ${wait}`.replaceAll('\u00a0', ' ');
}

test('each kind of generation is described in its own words, with an estimate from its own past', () => {
  expect(describe('video', 20)).toBe('Видео создаётся: шьём движение. Обычно около 20 секунд');
  expect(describe('model_change', 8)).toBe('Модель меняется: собираем кадр. Обычно около 10 секунд');
  expect(describe('model_change', 8, { made: 'background_change' })).toMatch(/^Фон меняется: /);
  expect(describe('photosession', 70)).toBe('Фотосессия создаётся: готовим 5 кадров. Обычно около 1 мин 30 с');
  expect(describe('photosession', 70, { frameSort: 'poses' })).toContain('готовим 5 поз.');
});

test('what takes longer than usual says so', () => {
  expect(describe('video', 10, { elapsedSeconds: 100 })).toMatch(/Дольше обычного, .* ещё не больше 29 минут$/);
});

test('a remote engine has the same stages for all tools', () => {
  for (const kind of ['video', 'model_change', 'photosession'] as const)
    expect(describe(kind, null, { isRemote: true })).toContain(': генерируем. Обычно ');
});
