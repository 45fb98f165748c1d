/** A session that is not used for this long ends. Its cookies are kept as long. */
export const SESSION_LIFETIME_MS = 30 * 24 * 3_600_000;

/**
 * Accompanies the session's cookie and is readable by the page. It says that somebody is signed in, not who. Browsers
 * may drop what pages store much sooner than cookies.
 */
export const SIGNED_IN_COOKIE = 'podium_signed_in';

/**
 * The page sets it when somebody signs out, and removes it when the server has confirmed that or somebody signs in:
 * until then the session may be alive. It is separate, because the server sets the one above again.
 */
export const LEAVING_COOKIE = 'podium_leaving';
