import { findRecipient, keepShare, sortShare } from '#pwa/lib/received-photos.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { SHARE_QUERY, SHARED_FILES_FIELD } from '#shared/rules/share-target.ts';

/** What of the browser's event is needed. */
export interface ShareEvent {
  request: Request;
  /** The worker is not ended before this work is done. */
  waitUntil: (work: Promise<unknown>) => void;
}

/**
 * Another app shares photos: they are kept on the device until create-video takes them up, which may be after a sign-in and
 * without a network for a while. The page opens as soon as the first is there.
 */
export async function receiveShare(event: ShareEvent): Promise<Response> {
  const { request } = event;
  try {
    // Big files take long to read, and whoever is signed in may sign out meanwhile.
    const recipient = await findRecipient();
    const form = await request.formData();
    const share = sortShare(form.getAll(SHARED_FILES_FIELD).filter((entry) => entry instanceof File));
    if (!share) return lead(request, PATHS.app, SHARE_QUERY.noPhoto);
    const { othersKept } = await keepShare(share, recipient);
    event.waitUntil(othersKept);
    return lead(request, PATHS.createVideo, SHARE_QUERY.received);
  } catch (error) {
    console.error('the shared photo could not be kept', error);
    return lead(request, PATHS.app, SHARE_QUERY.retry);
  }
}

/** 303: the page is then asked for by GET. */
function lead(request: Request, path: string, share: string): Response {
  return Response.redirect(new URL(`${path}?${new URLSearchParams({ share })}`, request.url), 303);
}
