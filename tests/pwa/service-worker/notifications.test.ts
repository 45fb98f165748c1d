import { describe, expect, test } from 'vitest';
import { chooseWindow, readPath } from '#pwa/service-worker/choose-window.ts';
import { describePush } from '#pwa/service-worker/describe-push.ts';
import { DECLARATIVE_PUSH } from '#shared/contract/push-message.ts';

const OWN = 'https://podium.example';
const message = (notification: object = {}, rest: object = {}) =>
  JSON.stringify({
    web_push: DECLARATIVE_PUSH,
    notification: {
      title: 'Видео готово!',
      body: 'Пальто',
      navigate: `${OWN}/dashboard/gallery`,
      lang: 'ru',
      tag: 'g1',
      icon: `${OWN}/icons/icon-192.png`,
      ...notification,
    },
    ...rest,
  });

describe('a push message', () => {
  test('is shown with its text, tag and number', () => {
    expect(describePush(message({}, { app_badge: 2 }), OWN)).toEqual({
      title: 'Видео готово!',
      options: {
        body: 'Пальто',
        lang: 'ru',
        tag: 'g1',
        icon: '/icons/icon-192.png',
        data: { path: '/dashboard/gallery' },
      },
      badge: 2,
    });
  });

  test('that cannot be read still shows something', () => {
    for (const text of [null, '', '{broken', '{}', message({ title: '' })]) {
      expect(describePush(text, OWN)).toMatchObject({
        title: 'Подиум',
        options: { data: { path: '/app' } },
        badge: null,
      });
    }
  });

  test('never leads to another site', () => {
    for (const navigate of ['https://evil.example/x', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      expect(describePush(message({ navigate }), OWN).options.data.path).toBe('/app');
    }
  });
});

describe('a pressed notification', () => {
  const window = (url: string, focused = false, visibilityState: 'visible' | 'hidden' = 'hidden') => ({
    url: OWN + url,
    focused,
    visibilityState,
  });

  test('opens in the window that shows its page, else in the one in use, else in any', () => {
    const all = [window('/app', false, 'visible'), window('/settings', true, 'visible'), window('/dashboard/gallery')];
    expect(chooseWindow(all, `${OWN}/dashboard/gallery`)).toBe(all[2]);
    expect(chooseWindow(all, `${OWN}/stars`)).toBe(all[1]);
    expect(chooseWindow([window('/a'), window('/b', false, 'visible')], `${OWN}/x`)?.url).toBe(`${OWN}/b`);
    expect(chooseWindow([window('/a')], `${OWN}/x`)?.url).toBe(`${OWN}/a`);
    expect(chooseWindow([], `${OWN}/x`)).toBeNull();
  });

  test('opens the home of the app when it names no path of ours', () => {
    expect(readPath({ path: '/dashboard/gallery' })).toBe('/dashboard/gallery');
    for (const data of [null, {}, { path: 5 }, { path: 'https://evil.example' }, { path: '//evil.example' }]) {
      expect(readPath(data)).toBe('/app');
    }
  });
});
