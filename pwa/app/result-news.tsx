import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { toast } from '#pwa/components/toast.ts';
import { openPath } from '#pwa/device/open-path.ts';
import { setNewResults } from '#pwa/device/page-title.ts';
import { toDeviceTime } from '#pwa/device/server-clock.ts';
import { usePageVisible } from '#pwa/device/use-page-visible.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { nb } from '#pwa/format.ts';
import type { NewResult } from '#shared/contract/notifications.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { resultPath } from '#shared/rules/result-links.ts';
import { RESULT_WORDS, TOOLS } from '#shared/rules/tools.ts';
import { countNewResults, useNewResults } from './unseen-results.ts';

/** Older results are only marked in the navigation and the title. */
const NEWS_MS = 10 * 60_000;
/** The results that this tab has told, so that a reload does not tell them again. */
const TOLD_KEY = 'podium.toldResults';
const TOLD_MAX = 50;

/** Tells on any page that a result is finished: by a toast, and in the title until it is seen on some device. */
export function ResultNews() {
  const isSignedIn = useSessionMarker() !== null;
  const results = useNewResults();
  const { pathname } = useLocation();
  const isVisible = usePageVisible();
  const count = isSignedIn ? results.length : 0;
  useEffect(() => setNewResults(count), [count]);
  useEffect(() => {
    if (!isSignedIn || !isVisible) return;
    const told = readTold();
    const untold = results.filter(({ generationId }) => !told.includes(generationId));
    if (untold.length === 0) return;
    const ids = [...told, ...untold.map(({ generationId }) => generationId)];
    sessionStorage.setItem(TOLD_KEY, ids.slice(-TOLD_MAX).join());
    // The tool's own page tells it by itself.
    tell(untold.filter((result) => isNews(result) && TOOLS[result.kind].page !== pathname));
  }, [isSignedIn, isVisible, results, pathname]);
  return null;
}

function tell(results: readonly NewResult[]): void {
  const [result, another] = results;
  if (!result) return;
  const path = another ? PATHS.gallery : resultPath(result.kind, result.generationId);
  toast({
    title: another ? nb(`Готово: ${countNewResults(results.length)}`) : RESULT_WORDS[result.made].notice.completed,
    tone: 'success',
    action: { label: 'Открыть', onSelect: () => openPath(path) },
  });
}

function isNews({ finishedAt }: NewResult): boolean {
  return Date.now() - toDeviceTime(finishedAt) < NEWS_MS;
}

function readTold(): string[] {
  return (sessionStorage.getItem(TOLD_KEY) ?? '').split(',').filter(Boolean);
}
