/** A session ends when it was not used for so long; its cookies are kept as long. */
export const SESSION_LIFETIME_MS = 30 * 24 * 3_600_000;

/**
 * Stands beside the session's cookie as long as that does, where the page can read it: it says that somebody is signed
 * in, not who. Browsers may drop what pages store much sooner than cookies.
 */
export const SIGNED_IN_COOKIE = 'podium_signed_in';

/**
 * The page writes it when somebody signs out, and removes it when the server has confirmed that or somebody signs in.
 * Until then the session may be alive, whatever the browser has dropped of what the page had stored. It is a cookie of
 * its own, because the server sets the one above again with each answer that extends the session.
 */
export const LEAVING_COOKIE = 'podium_leaving';
