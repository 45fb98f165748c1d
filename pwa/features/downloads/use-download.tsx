import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { premiumStatusQuery } from '#pwa/client/premium-status-query.ts';
import { toast } from '#pwa/components/toast.ts';
import { useLossReport } from '#pwa/features/generations/found-loss.ts';
import { nb } from '#pwa/format.ts';
import { describeFailure, type FailureWords } from './describe-failure.ts';
import { DownloadDialog } from './download-dialog.tsx';
import { DownloadError, type DownloadTarget, downloadTarget, OUTCOME_TEXTS } from './download-file.ts';

export interface TakeAwayOptions {
  /** The generation that the page shows; missing where it shows a list. */
  generationId?: string | undefined;
  /** Replaces the usual words for a failure that the server does not explain. */
  failed?: FailureWords | undefined;
}

export interface TakeAway {
  /** What goes on, for the button; null when nothing does. */
  busyText: string | null;
  /** Opens the documents' dialog, also for who may download. */
  showOptions: () => void;
  /** To be rendered beside the button. */
  dialog: ReactNode;
}

export interface Download extends TakeAway {
  /** Downloads for who may, and shows the others the dialog. Does nothing while it runs. */
  start: () => void;
}

/** Downloads with one press. The dialog of the documents is for who may not. */
export function useDownload(target: DownloadTarget, options: TakeAwayOptions = {}): Download {
  const { run, ...taking } = useTakeAway(target, options);
  const start = () =>
    run(async (say) => {
      say('Готовим файл…');
      const outcome = await downloadTarget(target, { onProgress: (percent) => say(nb(`Скачиваем… ${percent} %`)) });
      const title = OUTCOME_TEXTS[outcome];
      if (title !== null) toast({ title, tone: 'success' });
    });
  return { ...taking, start };
}

/** Does the work of taking away. It calls `say` with what goes on. */
type Work = (say: (text: string) => void) => Promise<void>;

/**
 * Runs what takes originals away. Who is known to have never paid, or is refused for that, gets the dialog about
 * `offered`. Failures are shown.
 */
export function useTakeAway(
  offered: DownloadTarget,
  { generationId, failed }: TakeAwayOptions,
): TakeAway & { run: (work: Work) => void } {
  const queryClient = useQueryClient();
  const reportLoss = useLossReport();
  const [busyText, say] = useState<string | null>(null);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const isRunning = useRef(false);

  const work = async (doWork: Work) => {
    if (isRunning.current) return;
    if (isKnownFree(queryClient)) return setIsDialogOpen(true);
    isRunning.current = true;
    try {
      await doWork(say);
    } catch (error) {
      if (error instanceof DownloadError && error.status === 402) {
        void queryClient.invalidateQueries({ queryKey: premiumStatusQuery.queryKey });
        setIsDialogOpen(true);
        return;
      }
      toast({ ...describeFailure(error, offered, failed), tone: 'danger' });
      if (error instanceof DownloadError && error.isLost) reportLoss(generationId ?? null);
    } finally {
      isRunning.current = false;
      say(null);
    }
  };
  const close = useCallback(() => setIsDialogOpen(false), []);
  return {
    busyText,
    run: (doWork) => void work(doWork),
    showOptions: () => setIsDialogOpen(true),
    dialog: isDialogOpen && <DownloadDialog target={offered} {...(generationId && { generationId })} onClose={close} />,
  };
}

/** False also while nobody knows: then the server decides. */
function isKnownFree(queryClient: QueryClient): boolean {
  const state = queryClient.getQueryState(premiumStatusQuery.queryKey);
  return state?.data !== undefined && !state.isInvalidated && !state.data.hasSuccessfulTransactions;
}
