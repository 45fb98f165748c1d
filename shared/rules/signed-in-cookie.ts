/**
 * Stands beside the session's cookie as long as that does, where the page can read it: it says that somebody is signed
 * in, not who. Browsers may drop what pages store much sooner than cookies.
 */
export const SIGNED_IN_COOKIE = 'podium_signed_in';
