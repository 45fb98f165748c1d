import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { parse } from 'acorn';
import { describe, expect, test } from 'vitest';

const SCRIPT = readFileSync('pwa/public/old-browser.js', 'utf8');
const NEW_ENOUGH = { modules: true, css: true, units: true, streams: true };

/** Runs the script as a browser would, and returns what it puts on the page. */
function readSentence({ modules, css, units, streams }: typeof NEW_ENOUGH): string {
  let shown = '';
  const page: Record<string, unknown> = {
    document: {
      createElement: () => (modules ? { noModule: false } : {}),
      body: { insertAdjacentHTML: (_place: string, html: string) => (shown += html) },
    },
    ...(css ? { CSS: { supports: () => units } } : {}),
    ...(streams ? { CompressionStream: class {} } : {}),
  };
  runInNewContext(SCRIPT, Object.assign(page, { window: page }));
  return shown;
}

describe('a browser that is too old', () => {
  test('can read the script that says so', () => {
    expect(() => parse(SCRIPT, { ecmaVersion: 5 })).not.toThrow();
  });

  test.each([
    ['no modules', { modules: false }],
    ['no question for a style', { css: false }],
    ['no units of the visible height, as Chrome before 108', { units: false }],
    ['no streams that compress, as Firefox before 113 and iOS before 16.4', { streams: false }],
  ])('is told so in one sentence: %s', (_, lacking) => {
    const sentence = readSentence({ ...NEW_ENOUGH, ...lacking }).replaceAll(/<[^>]+>/g, '');
    expect(sentence).toMatch(/^Ваш браузер слишком старый[^.!?]+\.$/);
  });

  test('a newer one is told nothing', () => {
    expect(readSentence(NEW_ENOUGH)).toBe('');
  });
});
