import { workIn } from '#api/platform/work-processes/work-process.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';
import type * as PictureWork from './picture-work.ts';
import type { MadePicture, PictureTask } from './picture-work.ts';
import type * as SubjectWork from './subject-kind.ts';

const pictures = workIn<typeof PictureWork>(new URL('./picture-work.ts', import.meta.url));
/** Many photos come at once. Starting a process takes half of the time. */
const subjects = workIn<typeof SubjectWork>(new URL('./subject-kind.ts', import.meta.url), {
  maxTasks: 50,
});

/**
 * Makes the pictures of one order in another process and passes them on one by one. Rejects with an error of the name
 * PhotoUnsuitableError when the photo does not allow it, with what `onPicture` throws, and with the signal's reason
 * when aborted. The process has ended when this settles.
 */
export async function makePictures(
  task: PictureTask,
  signal: AbortSignal,
  onPicture: (picture: MadePicture) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  let kept = Promise.resolve();
  try {
    await pictures('makePictures', task, {
      signal: AbortSignal.any([signal, failure.signal]),
      onMessage: (picture) => {
        kept = kept.then(() => onPicture(picture));
        kept.catch((error) => failure.abort(error));
      },
    });
    await kept;
  } finally {
    await kept.catch(() => undefined);
  }
}

/** Guesses in another process what a photo shows. Rejects when the file cannot be read or the signal aborts. */
export function detectSubject(photo: Buffer, signal: AbortSignal): Promise<SubjectKind> {
  return subjects('findSubjectKind', photo, { signal });
}
