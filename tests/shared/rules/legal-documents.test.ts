import { expect, test } from 'vitest';
import {
  coversVersion,
  dateOfVersion,
  isLaterVersion,
  LEGAL_TEXTS_DATE,
  nameDocumentsVersion,
  namesTransferAbroad,
  needsNewConsent,
} from '#shared/rules/legal-documents.ts';

/** The earliest first. */
const VERSIONS = ['2026-11-22', '2026-11-22-abroad', '2026-11-23', '2026-11-23-abroad'];

test('the version in force is the day of the texts, and says where photos go abroad', () => {
  expect(nameDocumentsVersion(false)).toBe(LEGAL_TEXTS_DATE);
  expect(nameDocumentsVersion(true)).toBe(`${LEGAL_TEXTS_DATE}-abroad`);
  for (const isAbroad of [false, true]) {
    const version = nameDocumentsVersion(isAbroad);
    expect([namesTransferAbroad(version), dateOfVersion(version)]).toEqual([isAbroad, LEGAL_TEXTS_DATE]);
  }
});

test('a consent covers its own version and the narrower one of its day, and nothing else', () => {
  const covered = VERSIONS.map((agreed) => VERSIONS.filter((version) => coversVersion(agreed, version)));
  expect(covered).toEqual([
    ['2026-11-22'],
    ['2026-11-22', '2026-11-22-abroad'],
    ['2026-11-23'],
    ['2026-11-23', '2026-11-23-abroad'],
  ]);
  for (const agreed of ['', '1', '-abroad', ' 2026-11-23']) {
    expect(VERSIONS.filter((version) => coversVersion(agreed, version))).toEqual([]);
  }
});

test('who has never consented is not asked; everybody else is, unless the consent covers the version', () => {
  for (const version of VERSIONS) {
    expect(needsNewConsent(null, version)).toBe(false);
    for (const agreed of VERSIONS) expect(needsNewConsent(agreed, version)).toBe(!coversVersion(agreed, version));
  }
});

test('of two versions the later day counts as later, and of one day the wider text', () => {
  for (const [index, version] of VERSIONS.entries()) {
    expect(VERSIONS.filter((other) => isLaterVersion(version, other))).toEqual(VERSIONS.slice(0, index));
    expect([isLaterVersion(version, null), isLaterVersion(null, version)]).toEqual([true, false]);
  }
  expect(isLaterVersion(null, null)).toBe(false);
});
