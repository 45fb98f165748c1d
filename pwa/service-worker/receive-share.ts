import { findRecipient, keepShare, sortShare } from '#pwa/features/uploads/received-photos.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { SHARE_QUERY, SHARED_FILES_FIELD } from '#shared/rules/share-target.ts';

/** The part of FetchEvent that is needed here. */
export interface ShareEvent {
  request: Request;
  /** The browser keeps the worker running until this work is done. */
  waitUntil: (work: Promise<unknown>) => void;
}

/**
 * Receives photos shared from another app. They are stored on the device until create-video takes them up, which may be
 * later, after a sign-in or without a network. The page opens as soon as the first photo is stored.
 */
export async function receiveShare(event: ShareEvent): Promise<Response> {
  const { request } = event;
  try {
    // Read first, because reading large files takes long and the person may sign out meanwhile.
    const recipient = await findRecipient();
    const form = await request.formData();
    const share = await sortShare(form.getAll(SHARED_FILES_FIELD).filter((entry) => entry instanceof File));
    if (!share) return lead(request, PATHS.app, SHARE_QUERY.noPhoto);
    const { othersKept } = await keepShare(share, recipient);
    event.waitUntil(othersKept);
    return lead(request, PATHS.createVideo, SHARE_QUERY.received);
  } catch (error) {
    console.error('the shared photo could not be kept', error);
    return lead(request, PATHS.app, SHARE_QUERY.retry);
  }
}

/** Redirects with status 303, so that the browser fetches the page by GET. */
function lead(request: Request, path: string, share: string): Response {
  return Response.redirect(new URL(`${path}?${new URLSearchParams({ share })}`, request.url), 303);
}
