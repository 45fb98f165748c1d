import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';
import { GENERATION_PARAMETER } from '#shared/rules/result-links.ts';

/**
 * Shows the generation that the page's address names, as links in notifications and mails do, once `isReady`. The id is
 * then removed from the address, so that a reload shows the current state.
 */
export function useLinkedGeneration(show: (generationId: string) => void, isReady: boolean): void {
  const [parameters, setParameters] = useSearchParams();
  const linkedId = parameters.get(GENERATION_PARAMETER);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `show` changes each time, and a link is followed once.
  useEffect(() => {
    if (linkedId === null || !isReady) return;
    setParameters(
      (current) => {
        current.delete(GENERATION_PARAMETER);
        return current;
      },
      { replace: true },
    );
    if (z.uuid().safeParse(linkedId).success) show(linkedId);
  }, [linkedId, isReady]);
}
