/** An account whose owner asked to delete it is kept so long, so that the deletion can be cancelled. */
export const DELETION_GRACE_DAYS = 30;
export const DELETION_GRACE_MS = DELETION_GRACE_DAYS * 24 * 60 * 60_000;

/** When the data of an account are removed if its deletion was requested at `askedAt`. */
export function dateOfErasure(askedAt: Date): Date {
  return new Date(askedAt.getTime() + DELETION_GRACE_MS);
}

/** How long something that its owner deleted can be brought back. */
export const DELETED_KEPT_DAYS = 30;
export const DELETED_KEPT_MS = DELETED_KEPT_DAYS * 24 * 60 * 60_000;

/** Counted events of the interface are kept so long: a month can be compared with the same month a year before. */
export const EVENTS_KEPT_MONTHS = 13;
