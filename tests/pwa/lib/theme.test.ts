import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { resolveTheme } from '#pwa/lib/theme.ts';

const CASES = [
  { stored: null, prefersDark: false, theme: 'light' },
  { stored: null, prefersDark: true, theme: 'dark' },
  { stored: 'light', prefersDark: true, theme: 'light' },
  { stored: 'dark', prefersDark: false, theme: 'dark' },
  { stored: 'nonsense', prefersDark: true, theme: 'dark' },
] as const;

describe('the theme', () => {
  test('is the person’s choice, else what the device prefers', () => {
    expect(resolveTheme('system', true)).toBe('dark');
    expect(resolveTheme('system', false)).toBe('light');
    expect(resolveTheme('light', true)).toBe('light');
    expect(resolveTheme('dark', false)).toBe('dark');
  });

  test.each(CASES)('before the first paint: stored $stored, device dark $prefersDark -> $theme', async (given) => {
    const script = await readFile('pwa/public/before-start.js', 'utf8');
    const dataset: { theme?: string } = {};
    let themeColor = '';
    runInNewContext(script, {
      localStorage: { getItem: () => given.stored },
      matchMedia: () => ({ matches: given.prefersDark }),
      document: {
        documentElement: { dataset },
        querySelector: () => ({ setAttribute: (_: string, value: string) => (themeColor = value) }),
      },
    });
    expect(dataset.theme).toBe(given.theme);
    expect(themeColor).toBe(given.theme === 'dark' ? '#1c1b1e' : '#ffffff');
  });

  test('is shown even where storage is forbidden', async () => {
    const dataset: { theme?: string } = {};
    runInNewContext(await readFile('pwa/public/before-start.js', 'utf8'), {
      localStorage: {
        getItem: () => {
          throw new Error('SecurityError');
        },
      },
      matchMedia: () => ({ matches: true }),
      document: { documentElement: { dataset }, querySelector: () => ({ setAttribute: () => undefined }) },
    });
    expect(dataset.theme).toBe('dark');
  });
});
