import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useTakenParameter } from '#pwa/device/use-taken-parameter.ts';
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
  const [wanted, setWanted] = useState<WantedDownload | null>(null);
  // The page first takes the generation from the address. Of two changes at once the second would undo the first.
  const isPageReady = !useSearchParams()[0].has(GENERATION_PARAMETER);
  const isAddressed = useTakenParameter(DOWNLOAD_PARAMETER, isPageReady, (text) =>
    setWanted(parseWantedDownload(text)),
  );
  // The dialog opens only after the address has changed, because an open one has its own history entry for «Back».
  if (!wanted || isAddressed) return null;
  return (
    <DownloadDialog
      target={{ ...wanted, pictureUrl: null }}
      {...(generationId && { generationId })}
      onClose={() => setWanted(null)}
    />
  );
}
