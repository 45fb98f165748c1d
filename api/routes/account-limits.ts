/**
 * Of calls that name an address which may be somebody else's, because their answer tells whether it is taken. An office
 * may need 30 registrations an hour; some of those sent turn out to be taken.
 */
export const NEW_ADDRESS_LIMIT = { max: 40, timeWindow: '1 hour', per: 'address', countsValidOnly: true } as const;
/** Each code has five tries of its own. */
export const CODE_LIMIT = { max: 60, timeWindow: '15 minutes', countsValidOnly: true } as const;
