/** How long an account whose deletion was requested is kept, so that the deletion can be cancelled. */
export const DELETION_GRACE_DAYS = 30;
export const DELETION_GRACE_MS = DELETION_GRACE_DAYS * 24 * 60 * 60_000;

/** When the data of an account is removed if its deletion was requested at `askedAt`. */
export function dateOfErasure(askedAt: Date): Date {
  return new Date(askedAt.getTime() + DELETION_GRACE_MS);
}

/** How long an account is kept whose e-mail was never confirmed, and an unused photo of it. */
export const UNCONFIRMED_KEPT_MS = 7 * 24 * 60 * 60_000;

/** How long the names of a chat are kept that belongs to no account, after its last message. */
export const CHAT_NAMES_KEPT_MS = 30 * 24 * 60 * 60_000;

/** How long deleted results can be restored. */
export const DELETED_KEPT_DAYS = 30;
export const DELETED_KEPT_MS = DELETED_KEPT_DAYS * 24 * 60 * 60_000;

/** How long events of the interface are kept. A month can be compared with the same month a year before. */
export const EVENTS_KEPT_MONTHS = 13;
