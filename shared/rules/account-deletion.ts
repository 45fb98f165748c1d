/** An account whose owner asked to delete it is kept so long, so that the deletion can be cancelled. */
export const DELETION_GRACE_DAYS = 30;
export const DELETION_GRACE_MS = DELETION_GRACE_DAYS * 24 * 60 * 60_000;

/** When the data of an account are removed if its deletion was requested at `askedAt`. */
export function dateOfErasure(askedAt: Date): Date {
  return new Date(askedAt.getTime() + DELETION_GRACE_MS);
}
