/**
 * For calls with an e-mail that may be somebody else's, because their answer reveals whether it is taken. An office may
 * need 30 registrations an hour, and some of the addresses it sends are taken.
 */
export const NEW_ADDRESS_LIMIT = {
  max: 40,
  timeWindow: 3_600_000,
  per: 'site',
  countsValidOnly: true,
  isShared: true,
} as const;
/** Each code allows five attempts of its own. */
export const CODE_LIMIT = { max: 60, timeWindow: 900_000, countsValidOnly: true, isShared: true } as const;
