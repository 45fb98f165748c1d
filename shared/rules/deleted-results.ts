/** How long something that its owner deleted can be brought back. */
export const DELETED_KEPT_DAYS = 30;
export const DELETED_KEPT_MS = DELETED_KEPT_DAYS * 24 * 60 * 60_000;
