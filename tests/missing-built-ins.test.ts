import { describe, expect, test } from 'vitest';
import { findMissingBuiltIns } from './support/missing-built-ins.ts';

const MISSING = [
  ['a static method', 'Promise.withResolvers()', 'Promise.withResolvers'],
  ['a static method of a web interface', 'let url = URL.parse(text)', 'URL.parse'],
  ['a static method that is only named', 'let { any } = AbortSignal, f = AbortSignal.any', 'AbortSignal.any'],
  ['a static method under the global object', 'globalThis.Object.groupBy(list, key)', 'Object.groupBy'],
  ['an array’s method', 'list.toSorted()', 'toSorted'],
  ['a set’s method', 'one.isSubsetOf(other)', 'isSubsetOf'],
  ['an element’s method', 'button.checkVisibility()', 'checkVisibility'],
  ['an iterator’s method', 'map.values().filter(isGood)', 'Iterator.filter'],
  ['a global class', 'new Float16Array(4)', 'Float16Array'],
  ['a member of a global object', 'navigator.userActivation.isActive', 'navigator.userActivation'],
] as const;
const PRESENT = [
  ['a method that another interface has', 'JSON.parse(text)'],
  ['an array’s method that iterators have got later', 'Object.values(map).filter(isGood)'],
  ['an optional call', 'element.checkVisibility?.()'],
  ['a question for its type', 'typeof Iterator'],
  ['what all have', 'structuredClone(value); list.at(-1); Object.hasOwn(a, b); new Intl.NumberFormat("ru").format(1)'],
] as const;

describe('what the oldest browsers lack', () => {
  test.each(MISSING)('%s is found: %s', (_, code, name) => {
    expect(findMissingBuiltIns(code).map((missing) => missing.name)).toContain(name);
  });

  test.each(PRESENT)('%s is not taken for it: %s', (_, code) => {
    expect(findMissingBuiltIns(code)).toEqual([]);
  });

  test.each(['/[\\p{L}--[a-z]]/v', 'using file = open()', '/(?i:a)b/'])(
    'syntax that they cannot read is an error: %s',
    (code) => {
      expect(() => findMissingBuiltIns(code)).toThrow(SyntaxError);
    },
  );
});
