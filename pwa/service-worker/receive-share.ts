import { chooseReceivedFile, keepReceivedFile } from '#pwa/lib/received-file.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { SHARE_QUERY, SHARED_FILES_FIELD } from '#shared/rules/share-target.ts';

/**
 * Another app shares photos: the first is kept on the device until create-video takes it, which may be after a sign-in
 * and without a network for a while.
 */
export async function receiveShare(request: Request): Promise<Response> {
  try {
    const form = await request.formData();
    const files = form.getAll(SHARED_FILES_FIELD).filter((entry) => entry instanceof File);
    const chosen = chooseReceivedFile(files);
    if (!chosen) return lead(PATHS.app, SHARE_QUERY.noPhoto);
    await keepReceivedFile(chosen, files.length - 1);
    return lead(PATHS.createVideo, SHARE_QUERY.received);
  } catch (error) {
    console.error('the shared photo could not be kept', error);
    return lead(PATHS.app, SHARE_QUERY.retry);
  }
}

/** 303: the page is then asked for by GET. */
function lead(path: string, share: string): Response {
  return Response.redirect(`${path}?${new URLSearchParams({ share })}`, 303);
}
