const MB = 1024 ** 2;

/** What the photos of an account may take together, with all that is stored with them, in bytes. */
export const PHOTO_QUOTA_BYTES = { free: 300 * MB, paid: 3 * 1024 * MB };

/** Photos that an account keeps until its e-mail is confirmed. */
export const UNCONFIRMED_PHOTOS_MAX = 5;
