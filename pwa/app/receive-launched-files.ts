/** The Launch Handler API, which TypeScript's libraries do not have yet. */
interface LaunchQueue {
  setConsumer: (consumer: (launch: { files: readonly FileSystemFileHandle[] }) => void) => void;
}

/**
 * Receives photos that were opened with the installed app. They are stored like shared photos, and the create-video
 * page, which the browser opens for them, takes them up. Call once at the start.
 */
export function receiveLaunchedFiles(): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ files }) => {
    if (files.length === 0) return;
    keepLaunched(files).catch((error: unknown) => console.error('the opened file could not be read', error));
  });
}

async function keepLaunched(handles: readonly FileSystemFileHandle[]): Promise<void> {
  const { findRecipient, keepShare, sortShare, announceOpened } = await import(
    '#pwa/features/uploads/received-photos.ts'
  );
  const recipient = await findRecipient();
  const share = await sortShare(await Promise.all(handles.map((handle) => handle.getFile())));
  if (!share) return;
  const { othersKept } = await keepShare(share, recipient);
  announceOpened();
  await othersKept;
}
