import { describe, expect, it } from 'vitest';
import { describeRemainingStars, describeShare, nameStage } from '#pwa/features/videos/generation-estimate.ts';
import type { Progress } from '#shared/contract/progress.ts';

const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ') ?? null;

const started = { share: null, startedAt: '', finishedAt: null };
const local = (expectedSeconds: number | null) => ({ ...started, expectedSeconds, isRemote: false });
const remote = (expectedSeconds: number | null) => ({ ...started, expectedSeconds, isRemote: true });

describe('the progress of a video', () => {
  it('stands beside the stage: the words of the local engine, or the stages of a service with a queue', () => {
    const stages = (progress: Progress) =>
      (['pending', 'processing', 'generating'] as const).map((status) => nameStage(status, progress));
    expect(stages(local(null))).toEqual(['Готовим фото', 'Кроим сцену', 'Шьём движение']);
    expect(stages(remote(null))).toEqual(['В очереди', 'Готовим фото', 'Генерируем']);
    expect(nameStage('generating', { ...remote(null), share: 0.97 })).toBe('Сохраняем');
  });

  it('says the percentage only while it can move', () => {
    expect(describeShare(null)).toBeNull();
    expect(plain(describeShare(0.421) ?? '')).toBe('42 %');
    expect(plain(describeShare(0.94) ?? '')).toBe('94 %');
    expect(describeShare(0.95)).toBe('Сохраняем видео');
    expect(describeShare(1)).toBe('Сохраняем видео');
  });

  it('says what remains in agreeing words', () => {
    expect([0, 1, 2, 5, 21].map((stars) => plain(describeRemainingStars(stars)))).toEqual([
      'Останется 0 звёзд',
      'Останется 1 звезда',
      'Останутся 2 звезды',
      'Останется 5 звёзд',
      'Останется 21 звезда',
    ]);
  });
});
