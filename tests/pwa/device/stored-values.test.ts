import { describe, expect, test } from 'vitest';
import { isObsolete, isOwnedBy, storageKey } from '#pwa/device/storage.ts';
import { parseSessionMarker } from '#pwa/features/session/session-marker.ts';

describe('keys in IndexedDB', () => {
  test('name the owner, so that one account’s values can be removed without another’s', () => {
    expect(isOwnedBy(storageKey(1000, 'activeGeneration'), 1000)).toBe(true);
    expect(isOwnedBy(storageKey(1000, 'activeGeneration'), 100)).toBe(false);
    expect(isOwnedBy(storageKey('device', 'cookieConsent'), 1000)).toBe(false);
    expect(isOwnedBy('podium/0/1000/activeGeneration', 1000)).toBe(true);
  });

  test('of another schema version, and texts that mean nothing, are swept', () => {
    expect(isObsolete(storageKey(1000, 'activeGeneration'), {})).toBe(false);
    expect(isObsolete('podium/0/1000/activeGeneration', {})).toBe(true);
    expect(isObsolete('activeGeneration', {})).toBe(true);
    expect(isObsolete(storageKey(1000, 'activeGeneration'), 'undefined')).toBe(true);
  });
});

describe('the session marker', () => {
  test('is read back only in its own shape', () => {
    expect(parseSessionMarker('{"userId":1000,"name":"Анна","token":"x"}')).toEqual({ userId: 1000, name: 'Анна' });
    expect([null, '', 'undefined', '{}', '{"userId":"1"}'].map(parseSessionMarker)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
