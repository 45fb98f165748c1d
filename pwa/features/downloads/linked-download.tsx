import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  DOWNLOAD_PARAMETER,
  parseWantedDownload,
  type WantedDownload,
} from '#pwa/features/generations/wanted-download.ts';
import { GENERATION_PARAMETER } from '#shared/rules/result-links.ts';
import { DownloadDialog } from './download-dialog.tsx';

/**
 * Offers the download that the page's address names, as the way back from a payment does, and removes it from the
 * address. `generationId`: the generation that the page shows.
 */
export function LinkedDownload({ generationId }: { generationId?: string | undefined }) {
  const [parameters, setParameters] = useSearchParams();
  const [wanted, setWanted] = useState<WantedDownload | null>(null);
  const text = parameters.get(DOWNLOAD_PARAMETER);
  // The page first takes the generation from the address. Of two changes at once the second would undo the first.
  const isPageReady = !parameters.has(GENERATION_PARAMETER);
  useEffect(() => {
    if (text === null || !isPageReady) return;
    setWanted(parseWantedDownload(text));
    setParameters(
      (current) => {
        current.delete(DOWNLOAD_PARAMETER);
        return current;
      },
      { replace: true },
    );
  }, [text, isPageReady, setParameters]);
  // The dialog opens only after the address has changed, because an open one has its own history entry for «Back».
  if (!wanted || text !== null) return null;
  return (
    <DownloadDialog
      target={{ ...wanted, pictureUrl: null }}
      {...(generationId && { generationId })}
      onClose={() => setWanted(null)}
    />
  );
}
