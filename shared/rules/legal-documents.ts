/** The day from which the texts of the legal documents count. A new text needs a new day. */
export const LEGAL_TEXTS_DATE = '2026-11-23';

/** Where photos go abroad, the texts say more, and so does the version. */
const ABROAD = '-abroad';

/** For the shape of a version that somebody sends. */
export const DOCUMENTS_VERSION_MAX_LENGTH = 40;

/**
 * The version of the policy, the terms and the consent: `2026-11-23`, or `2026-11-23-abroad` where the documents name
 * the transfer of photos abroad. It is stored when somebody consents.
 */
export function nameDocumentsVersion(sendsPhotosAbroad: boolean): string {
  return `${LEGAL_TEXTS_DATE}${sendsPhotosAbroad ? ABROAD : ''}`;
}

/** Whether the documents of this version name the transfer of photos abroad. */
export function namesTransferAbroad(version: string): boolean {
  return version.endsWith(ABROAD);
}

/** The day of a version, as an ISO date. */
export function dateOfVersion(version: string): string {
  return version.slice(0, LEGAL_TEXTS_DATE.length);
}

/** Whether a consent to one version is a consent to the other. Of the same day, the wider text covers the narrower. */
export function coversVersion(agreed: string, version: string): boolean {
  return agreed === version || agreed === `${version}${ABROAD}`;
}

/** Whether the first version is the later one. Of the same day, the wider text counts as later. */
export function isLaterVersion(one: string | null, other: string | null): boolean {
  return one !== null && (other === null || one > other);
}

/**
 * Whether an account has to consent again before its next generation. One without a stored consent was made by the API
 * or by an operator, and is not asked.
 */
export function needsNewConsent(agreed: string | null, version: string): boolean {
  return agreed !== null && !coversVersion(agreed, version);
}
