/** Where phones send a photo that is shared with the app. Without a worker the server answers there. */
export const SHARE_TARGET_PATH = '/share-target';
export const SHARED_FILES_FIELD = 'photo';

/**
 * Values of the query `share` of the page that opens afterwards: the file is stored on the device, it has to be shared
 * again, or what was shared has no photo.
 */
export const SHARE_QUERY = { received: 'received', retry: 'retry', noPhoto: 'no-photo' } as const;
