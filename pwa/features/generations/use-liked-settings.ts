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

const FAILED = 'Не удалось взять настройки';

/**
 * «Сделать так же»: once the tool is restored, passes on the generation that the page's address names, so that its
 * settings go into the form. A running generation stays on the page, and this is said. Returns what was taken over last.
 */
export function useLikedSettings<Kind extends GenerationKind>(
  kind: Kind,
  { isRestored, isRunning }: { isRestored: boolean; isRunning: boolean },
  take: (view: ViewOf<Kind>) => void,
): ViewOf<Kind> | null {
  const queryClient = useQueryClient();
  const [liked, setLiked] = useState<ViewOf<Kind> | null>(null);
  const isOfKind = (view: GenerationView): view is ViewOf<Kind> => view.kind === kind;
  useTakenParameter(LIKE_PARAMETER, isRestored, (id) => {
    if (isRunning) {
      const description = nb('Сейчас создаётся другой результат. Дождитесь его и повторите');
      return void toast({ title: FAILED, description });
    }
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
        toast({ title: FAILED, description, tone: 'danger' });
      });
  });
  return liked;
}
