/** Counted events of the interface are kept so long: a month can be compared with the same month a year before. */
export const EVENTS_KEPT_MONTHS = 13;
