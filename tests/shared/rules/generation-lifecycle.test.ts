import { expect, test } from 'vitest';
import { failureCode } from '#shared/contract/generation-outcomes.ts';
import { readFailureCode } from '#shared/rules/generation-lifecycle.ts';

test('a failure that only a newer version knows is an error of the engine, for the server and for an old page', () => {
  expect([readFailureCode('of_tomorrow'), failureCode.parse('of_tomorrow')]).toEqual(['engine_error', 'engine_error']);
  expect([readFailureCode('timed_out'), failureCode.parse('timed_out')]).toEqual(['timed_out', 'timed_out']);
  // A name that every object has.
  expect(readFailureCode('constructor')).toBe('engine_error');
});
