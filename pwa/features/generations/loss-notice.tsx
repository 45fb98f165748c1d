import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileX2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { toast } from '#pwa/components/toast.ts';
import { nb } from '#pwa/format.ts';
import type { ResultLoss } from '#shared/contract/generation-outcomes.ts';
import { returnLostStars } from '#shared/contract/generations.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';
import { refetchResults } from './found-loss.ts';

export interface LossProps {
  generationId: string;
  loss: ResultLoss;
  className?: string;
}

/** Says on the page of a result that its file is lost, and gives its stars back. */
export function LossNotice({ generationId, loss, className }: LossProps) {
  return (
    <Notice
      tone="warning"
      title="Файл потерян"
      className={className ?? ''}
      action={<ReturnStars generationId={generationId} loss={loss} />}
    >
      {nb('Файл этого результата потерян на сервере, показать и скачать его нельзя.')}
    </Notice>
  );
}

/** Stands where the picture of a lost result would be. */
export function LostPicture() {
  return (
    <span className="ph grid place-items-center content-center gap-2 text-sm text-muted">
      <FileX2 className="ic ic-l" />
      Файл потерян
    </span>
  );
}

interface ReturnStarsProps extends LossProps {
  /** `plate`: over pictures. */
  variant?: 'second' | 'plate';
}

/** The button that gives the stars of a lost result back. Afterwards it is a line that says so. */
export function ReturnStars({ generationId, loss, className = '', variant = 'second' }: ReturnStarsProps) {
  const queryClient = useQueryClient();
  const line = useRef<HTMLParagraphElement>(null);
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => callApi(returnLostStars, { params: { id: generationId } }),
    onSuccess: ({ message }) => toast({ title: message, tone: 'success' }),
    onError: (error) =>
      toast({
        title: 'Звёзды не возвращены',
        description: nb(describeError(error, 'Попробуйте ещё раз через минуту')),
        tone: 'danger',
      }),
    // After a refusal, too: the file may be there again.
    onSettled: () => {
      refetchResults(queryClient);
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.stars });
    },
  });
  // The pressed button is gone.
  useEffect(() => {
    if (isSuccess && document.activeElement === document.body) line.current?.focus({ preventScroll: true });
  }, [isSuccess]);
  if (loss.isReturned || isSuccess) {
    const returned = pluralize(loss.stars, ['возвращена', 'возвращены', 'возвращены']);
    return (
      <p ref={line} tabIndex={-1} className={`text-sm text-muted ${className}`}>
        {`${countStars(loss.stars)} ${returned}`}
      </p>
    );
  }
  if (loss.stars === 0) return null;
  return (
    <Button
      variant={variant}
      size="sm"
      className={className}
      loading={isPending}
      loadingText="Проверяем файл…"
      onClick={() => mutate()}
    >
      Вернуть звёзды
    </Button>
  );
}
