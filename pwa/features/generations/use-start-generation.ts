import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { createStartIntent, isUncertain } from '#pwa/lib/start-intent.ts';
import { pageLocation, trackEvent } from '#pwa/lib/tag-manager.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';

export interface GenerationStart<Request, Body extends object, Answer> {
  /** What the server is sent; the same body sent again is the same intention. */
  toBody: (request: Request) => Body;
  send: (body: Body, options: { headers: Record<string, string> }) => Promise<Answer>;
  /** Said where the server gives no reason. */
  failedText: string;
  /** Of the event `error_occurred`. */
  errorType: string;
  onStarted: (answer: Answer, request: Request) => void;
  /** Another generation of this kind runs; its id when the server told it. */
  onAlreadyActive: (generationId: string | null) => void;
  /** Says why nothing was started. */
  tellFailure: (error: unknown, message: string) => void;
  onRefused: (error: ApiError) => void;
}

/** Starts a generation of any kind; a repeat after a lost answer carries the same Idempotency-Key. */
export function useStartGeneration<Request, Body extends object, Answer>(
  start: GenerationStart<Request, Body, Answer>,
) {
  const [intent] = useState(createStartIntent);
  return useMutation({
    mutationFn: (request: Request) => {
      const body = start.toBody(request);
      return start.send(body, { headers: { [IDEMPOTENCY_KEY_HEADER]: intent.keyFor(body) } });
    },
    onSuccess: (answer, request) => {
      intent.settle();
      start.onStarted(answer, request);
    },
    onError: (error) => {
      const status = error instanceof ApiError ? error.status : 0;
      if (!isUncertain(status)) intent.settle();
      if (error instanceof ApiError && error.code === 'active_generation') {
        toast({
          title: 'У вас уже есть активная генерация',
          description: 'Дождитесь завершения…',
          tone: 'danger',
        });
        return start.onAlreadyActive(error.details.generationId ?? null);
      }
      const message = describeError(error, start.failedText);
      start.tellFailure(error, message);
      trackEvent('error_occurred', {
        error_type: start.errorType,
        error_message: message,
        page_location: pageLocation(),
      });
      if (error instanceof ApiError) start.onRefused(error);
    },
  });
}

/** By the code; by the text where another server sends none. */
export function isShortOfStars(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code ? error.code === 'not_enough_stars' : /недостаточно зв[её]зд/i.test(error.serverMessage ?? '');
}
