/** An account whose owner asked to delete it is kept so long, so that it can be taken back. */
export const DELETION_GRACE_DAYS = 30;
export const DELETION_GRACE_MS = DELETION_GRACE_DAYS * 24 * 60 * 60_000;

/** When the data of an account are removed whose deletion was asked at `askedAt`. */
export function dateOfErasure(askedAt: Date): Date {
  return new Date(askedAt.getTime() + DELETION_GRACE_MS);
}
