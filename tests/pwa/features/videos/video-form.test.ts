import { describe, expect, it } from 'vitest';
import { DEFAULT_VIDEO_FORM, fromVideoSettings, toVideoSettings } from '#pwa/features/videos/video-form.ts';
import { startVideo } from '#shared/contract/videos.ts';

describe('the choices of the video page', () => {
  it('start with the turn, 5 seconds and 3:4', () => {
    expect(DEFAULT_VIDEO_FORM).toEqual({ preset: 'spin', duration: 5, aspectRatio: '3:4' });
  });

  it('are sent in the shape that the API takes', () => {
    const settings = toVideoSettings({ preset: 'shoe', duration: 10, aspectRatio: '1:1' });
    expect(settings).toEqual({
      prompt: 'An orbiting shot of a boot',
      negativePrompt: 'blurry, distorted, text, logos, hands',
      duration: 10,
      cfgScale: 0.5,
      aspectRatio: '1:1',
      preset: 'shoe',
      category: 'обувь',
    });
    expect(startVideo.body.safeParse({ imageId: 'p1', settings }).success).toBe(true);
  });

  it('come back from settings that another door sent', () => {
    expect(fromVideoSettings({ prompt: 'Model is posing' })).toEqual({
      preset: 'pose',
      duration: 5,
      aspectRatio: '3:4',
    });
    expect(fromVideoSettings({ preset: 'walk', duration: 10 })).toMatchObject({ preset: 'walk', duration: 10 });
  });
});
