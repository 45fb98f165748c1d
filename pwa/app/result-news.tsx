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
/** The results that this tab has announced, so that a reload does not announce them again. */
const ANNOUNCED_KEY = 'podium.announcedResults';
const ANNOUNCED_MAX = 50;

/** Announces on any page that a result is finished: by a toast, and in the title until it is seen on some device. */
export function ResultNews() {
  const isSignedIn = useSessionMarker() !== null;
  const results = useNewResults();
  const { pathname } = useLocation();
  const isVisible = usePageVisible();
  const count = isSignedIn ? results.length : 0;
  useEffect(() => setNewResults(count), [count]);
  useEffect(() => {
    if (!isSignedIn || !isVisible) return;
    const announced = readAnnounced();
    const unannounced = results.filter(({ generationId }) => !announced.includes(generationId));
    if (unannounced.length === 0) return;
    const ids = [...announced, ...unannounced.map(({ generationId }) => generationId)];
    sessionStorage.setItem(ANNOUNCED_KEY, ids.slice(-ANNOUNCED_MAX).join());
    // The tool's own page announces its result.
    showResultToast(unannounced.filter((result) => isNews(result) && TOOLS[result.kind].page !== pathname));
  }, [isSignedIn, isVisible, results, pathname]);
  return null;
}

function showResultToast(results: readonly NewResult[]): void {
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

function readAnnounced(): string[] {
  return (sessionStorage.getItem(ANNOUNCED_KEY) ?? '').split(',').filter(Boolean);
}
