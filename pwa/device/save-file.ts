export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  followDownload(url, name);
  // Safari reads the URL after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
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
