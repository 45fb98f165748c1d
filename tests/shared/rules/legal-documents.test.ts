import { expect, test } from 'vitest';
import {
  CONSENT_VERSIONS,
  DOCUMENTS_VERSION,
  DOCUMENTS_VERSION_MAX_LENGTH,
  isLaterVersion,
  nameReviewedVersion,
} from '#shared/rules/legal-documents.ts';

test('each consent has a version of its own that ends with the day of its text', () => {
  const versions = Object.values(CONSENT_VERSIONS);
  expect(new Set(versions).size).toBe(versions.length);
  for (const version of versions) {
    expect(version).toMatch(/\d{4}-\d\d-\d\d$/);
    expect(version.length).toBeLessThanOrEqual(DOCUMENTS_VERSION_MAX_LENGTH);
  }
});

test('what a lawyer reviews is the day of the texts, and says where photos go abroad', () => {
  expect(nameReviewedVersion(false)).toBe(DOCUMENTS_VERSION);
  expect(nameReviewedVersion(true)).toBe(`${DOCUMENTS_VERSION}-abroad`);
});

test('of two versions the later day counts as later', () => {
  expect(isLaterVersion('2026-11-27', '2026-11-23')).toBe(true);
  expect(isLaterVersion('2026-11-23', '2026-11-27')).toBe(false);
  expect(isLaterVersion('2026-11-27', '2026-11-27')).toBe(false);
  expect([isLaterVersion('2026-11-27', null), isLaterVersion(null, '2026-11-27')]).toEqual([true, false]);
  expect(isLaterVersion(null, null)).toBe(false);
});
