import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { useTakenParameter } from '#pwa/device/use-taken-parameter.ts';
import { nb } from '#pwa/format.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { LIKE_PARAMETER } from '#shared/rules/result-links.ts';
import { generationQuery } from './generation-query.ts';

type ViewOf<Kind extends GenerationKind> = Extract<GenerationView, { kind: Kind }>;

/**
 * «Сделать так же»: once the tool is restored, passes on the generation that the page's address names, so that its
 * settings go into the form. Returns what was taken over last.
 */
export function useLikedSettings<Kind extends GenerationKind>(
  kind: Kind,
  isRestored: boolean,
  take: (view: ViewOf<Kind>) => void,
): ViewOf<Kind> | null {
  const queryClient = useQueryClient();
  const [liked, setLiked] = useState<ViewOf<Kind> | null>(null);
  const isOfKind = (view: GenerationView): view is ViewOf<Kind> => view.kind === kind;
  useTakenParameter(LIKE_PARAMETER, isRestored, (id) => {
    void queryClient
      .fetchQuery(generationQuery(id))
      .catch(() => null)
      .then((known) => {
        const view = known?.view ?? null;
        if (view && isOfKind(view)) {
          setLiked(view);
          return take(view);
        }
        const description = known?.failures.at(-1)?.message ?? nb('Проверьте интернет и попробуйте ещё раз');
        toast({ title: 'Не удалось взять настройки', description, tone: 'danger' });
      });
  });
  return liked;
}
