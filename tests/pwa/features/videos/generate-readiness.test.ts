import { describe, expect, it } from 'vitest';
import { type GenerateConditions, judgeReadiness } from '#pwa/features/videos/generate-readiness.ts';
import { DEFAULT_VIDEO_FORM } from '#pwa/features/videos/video-form.ts';

const ready: GenerateConditions = {
  hasPhoto: true,
  form: DEFAULT_VIDEO_FORM,
  balance: 3,
  isEmailVerified: true,
  isOnline: true,
};

describe('whether a video can be started', () => {
  it('tells the price and what remains', () => {
    expect(judgeReadiness(ready)).toEqual({ state: 'ready', price: 1, remaining: 2 });
    const long = { ...ready, form: { ...DEFAULT_VIDEO_FORM, duration: 10 as const } };
    expect(judgeReadiness(long)).toEqual({ state: 'ready', price: 2, remaining: 1 });
  });

  it.each([
    [{ hasPhoto: false, isOnline: false, isEmailVerified: false, balance: 0 }, 'Сначала загрузите фото'],
    [{ isOnline: false, isEmailVerified: false, balance: 0 }, 'Нет сети'],
    [{ isEmailVerified: false, balance: 0 }, 'Сначала подтвердите email'],
    [{ balance: 0 }, 'Недостаточно звезд'],
  ])('names the first obstacle of %o', (conditions, reason) => {
    expect(judgeReadiness({ ...ready, ...conditions })).toMatchObject({ reason });
  });

  it('leaves the decision to the server while the balance is unknown', () => {
    expect(judgeReadiness({ ...ready, balance: null })).toEqual({ state: 'ready', price: 1, remaining: null });
  });
});
