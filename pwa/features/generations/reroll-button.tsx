import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router-dom';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError, describeError, isConsentRefusal } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { Button } from '#pwa/components/button.tsx';
import { toast } from '#pwa/components/toast.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { afterConsent, askAfterRefusal } from '#pwa/features/consent/document-consent.ts';
import { noteRefusal, useIsAbroad, useObstacle } from '#pwa/features/tools/tool-offer.ts';
import { nb } from '#pwa/format.ts';
import { rerollGeneration } from '#shared/contract/generations.ts';
import type { GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { resultPath } from '#shared/rules/result-links.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { GARMENT_TEXTS } from './garment-texts.ts';
import { checkStartReadiness } from './start-readiness.ts';

export interface RerollButtonProps {
  kind: GenerationKind;
  /** The generation whose drifted results are made again. */
  generationId: string;
  className?: string;
}

/** Makes the drifted results of a generation again, free of charge, and opens the page that follows the new one. */
export function RerollButton({ kind, generationId, className = '' }: RerollButtonProps) {
  const { isPending, reroll } = useReroll(kind, generationId);
  const isOnline = useOnline();
  const readiness = checkStartReadiness({
    price: 0,
    hasPhoto: true,
    balance: null,
    promisedStars: 0,
    isEmailVerified: true,
    isOnline,
    obstacle: useObstacle(kind),
  });
  return (
    <Button
      variant="second"
      size="sm"
      className={className}
      icon={<RotateCcw className="ic ic-s" />}
      loading={isPending}
      loadingText={GARMENT_TEXTS.rerolling}
      disabledReason={readiness.state === 'ready' ? null : readiness.reason}
      onClick={reroll}
    >
      {GARMENT_TEXTS.reroll}
    </Button>
  );
}

function useReroll(kind: GenerationKind, generationId: string) {
  const queryClient = useQueryClient();
  const isAbroad = useIsAbroad(kind);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => callApi(rerollGeneration, { params: { id: generationId } }),
    onSuccess: ({ generationId: rerollId }) => {
      toast({ title: GARMENT_TEXTS.rerollStarted, description: GARMENT_TEXTS.rerollStartedHint, tone: 'success' });
      // The page of the tool already shows the generation that gives way.
      void navigate(resultPath(kind, rerollId), { replace: pathname === TOOLS[kind].page });
    },
    onError: (error) => {
      const code = error instanceof ApiError ? error.code : null;
      if (isConsentRefusal(code)) return askAfterRefusal(queryClient, code, () => mutate());
      if (error instanceof ApiError) noteRefusal(queryClient, kind, error);
      toast({
        title: code === 'active_generation' ? 'У вас уже есть активная генерация' : GARMENT_TEXTS.rerollFailed,
        description: nb(
          code === 'active_generation' ? 'Дождитесь завершения…' : describeError(error, GARMENT_TEXTS.rerollFailedHint),
        ),
        tone: 'danger',
      });
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.generation });
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.activeGenerations });
    },
  });
  return { isPending, reroll: () => afterConsent(queryClient, isAbroad, () => mutate()) };
}
