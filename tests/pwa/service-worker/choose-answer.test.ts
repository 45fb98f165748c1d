import { describe, expect, test } from 'vitest';
import { chooseAnswer } from '#pwa/service-worker/choose-answer.ts';

const OWN = 'https://podium.example';
const ask = (path: string, facts: { method?: string; isNavigation?: boolean; hasRange?: boolean } = {}) =>
  chooseAnswer({
    method: 'GET',
    isNavigation: false,
    hasRange: false,
    url: new URL(path, OWN),
    ownOrigin: OWN,
    ...facts,
  });
const open = (path: string) => ask(path, { isNavigation: true });

describe('the worker', () => {
  test('does not answer the API, other sites, other methods, range requests and videos', () => {
    for (const path of ['/api/stars/balance', '/api/events', '/api/video-proxy/1', 'https://elsewhere.example/a.js']) {
      expect(ask(path), path).toBeNull();
    }
    expect(ask('/assets/a-1.js', { method: 'POST' })).toBeNull();
    expect(ask('/assets/a-1.js', { hasRange: true })).toBeNull();
    expect(ask('/assets/dress-walk-1.mp4')).toBeNull();
    expect(ask('/manifest.webmanifest')).toBeNull();
  });

  test('answers pages of the app with the shell and asks the server for pages of the site', () => {
    for (const path of ['/app?source=pwa', '/dashboard/gallery', '/settings']) expect(open(path), path).toBe('shell');
    for (const path of ['/', '/cases', '/payment/success', '/auth?next=%2Fapp', '/nowhere']) {
      expect(open(path), path).toBe('page');
    }
  });

  test('lets navigations that are not pages reach the server', () => {
    for (const path of [
      '/api/download-image',
      '/media/results/a/1/poster',
      '/share-target',
      '/bot/hook',
      '/help',
      '/dev/mailbox',
      '/preview.jpg',
      '/manifest.webmanifest',
    ]) {
      expect(open(path), path).toBeNull();
    }
  });

  test('answers shared photos, files of the build and small pictures of the account', () => {
    expect(ask('/share-target', { method: 'POST', isNavigation: true })).toBe('share');
    expect(ask('/assets/index-1.js')).toBe('file');
    expect(ask('/media/photos/a/thumbnail')).toBe('media');
    expect(ask('/media/results/a/0/poster?original')).toBe('media');
    // Originals are never kept.
    expect(ask('/media/results/a/0/image')).toBeNull();
  });
});
