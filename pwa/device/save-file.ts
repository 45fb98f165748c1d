import { isIos } from './is-ios.ts';
import { isStandalone } from './is-standalone.ts';
import { canShareFiles, shareFiles } from './share-files.ts';

/**
 * Saves a file. An app installed on an iPhone or iPad has no downloads: the file would cover the app with a preview that
 * has no way back (WebKit bug 236943). There the share sheet saves it. It needs a recent press: `press_needed` asks for
 * another one. `closed`: the person has closed the sheet.
 */
export async function saveFile(file: File): Promise<'saved' | 'closed' | 'press_needed'> {
  if (isIos(navigator) && isStandalone() && canShareFiles([file])) {
    const outcome = await shareFiles([file]);
    return outcome === 'shared' ? 'saved' : outcome === 'closed' ? 'closed' : 'press_needed';
  }
  const url = URL.createObjectURL(file);
  followDownload(url, file.name);
  // Safari reads the URL after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return 'saved';
}

/**
 * Lets the browser download a file of this site straight to the disk, if the server allows it. The browser would not
 * show a refusal, so a HEAD request asks first. Resolves to the status of a refusal, to 0 without an answer, and to
 * null once the download has begun.
 */
export async function downloadIfAllowed(url: string): Promise<number | null> {
  const answer = await fetch(url, { method: 'HEAD', credentials: 'same-origin' }).catch(() => null);
  if (!answer?.ok) return answer?.status ?? 0;
  followDownload(url);
  return null;
}

/** Lets the browser download a URL of this site. Without a name the server's name is used. */
function followDownload(url: string, name = ''): void {
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
}
