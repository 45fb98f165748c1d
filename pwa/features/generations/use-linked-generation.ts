import * as z from 'zod/mini';
import { useTakenParameter } from '#pwa/device/use-taken-parameter.ts';
import { GENERATION_PARAMETER } from '#shared/rules/result-links.ts';

/** Shows the generation that the page's address names, as links in notifications and mails do, once `isReady`. */
export function useLinkedGeneration(show: (generationId: string) => void, isReady: boolean): void {
  useTakenParameter(GENERATION_PARAMETER, isReady, (linkedId) => {
    if (z.uuid().safeParse(linkedId).success) show(linkedId);
  });
}
