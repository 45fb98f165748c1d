/**
 * The version of the policy, the terms and the consent to the processing of personal data: the day from which their
 * texts count. It is stored when somebody consents. A new text needs a new day.
 */
export const DOCUMENTS_VERSION = '2026-11-28';

/** The version of the consent to the transfer of photos abroad. It is a consent of its own, with its own text. */
export const TRANSFER_VERSION = 'transfer-2026-11-27';

/** For the shape of a version that somebody sends. */
export const DOCUMENTS_VERSION_MAX_LENGTH = 40;

/** What a person consents to, each on its own. */
export const CONSENT_KINDS = ['documents', 'transfer'] as const;
export type ConsentKind = (typeof CONSENT_KINDS)[number];

export const CONSENT_VERSIONS: Record<ConsentKind, string> = {
  documents: DOCUMENTS_VERSION,
  transfer: TRANSFER_VERSION,
};

/** The texts that a lawyer reviews: those of a day, which say more where photos go abroad. */
export function nameReviewedVersion(sendsPhotosAbroad: boolean): string {
  return `${DOCUMENTS_VERSION}${sendsPhotosAbroad ? '-abroad' : ''}`;
}

/** Whether the first version is the later one. */
export function isLaterVersion(one: string | null, other: string | null): boolean {
  return one !== null && (other === null || one > other);
}
