/** Where phones send a photo that is shared with the app; without a worker the server answers there. */
export const SHARE_TARGET_PATH = '/share-target';
/** The form field of the manifest that holds the files. */
export const SHARED_FILES_FIELD = 'photo';

/**
 * The query `share` of the page that opens afterwards: the file waits on the device, or has to be shared once more, or no
 * photo was in what was shared.
 */
export const SHARE_QUERY = { received: 'received', retry: 'retry', noPhoto: 'no-photo' } as const;
