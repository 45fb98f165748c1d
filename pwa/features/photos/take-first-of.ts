import { toast } from '#pwa/components/toast.ts';
import { ignoreFailure } from '#pwa/device/storage.ts';
import { keepDropped, sortShare } from '#pwa/features/uploads/received-photos.ts';
import { FIRST_TAKEN } from './received-texts.ts';
import type { UploadOutcome } from './use-photo-upload.ts';

type Upload = (file: File) => Promise<UploadOutcome>;

/** Uploads the first photo of a drop. The others wait on the device as shared photos do. */
export function takeFirstOf(files: readonly File[], upload: Upload): void {
  const [only, another] = files;
  if (only && another) ignoreFailure(takeFirst(files, only, upload));
  else if (only) void upload(only);
}

async function takeFirst(files: readonly File[], fallback: File, upload: Upload): Promise<void> {
  const share = await sortShare(files);
  // Nothing in it can be a photo: the error of any file says what is taken.
  if (!share) return void upload(fallback);
  const handled = upload(share.first).then((outcome) => {
    if (outcome === 'kept' && share.others.length > 0) toast(FIRST_TAKEN);
  });
  await Promise.all([handled, keepDropped(share, handled)]);
}
