import { describe, expect, test } from 'vitest';
import { resolveTheme } from '#pwa/device/theme.ts';

describe('the theme', () => {
  test('is the person’s choice, else what the device prefers', () => {
    expect(resolveTheme('system', true)).toBe('dark');
    expect(resolveTheme('system', false)).toBe('light');
    expect(resolveTheme('light', true)).toBe('light');
    expect(resolveTheme('dark', false)).toBe('dark');
  });
});
