import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { readPushState, subscribeInClick } from '#pwa/lib/push.ts';
import { devicesQuery } from './push-devices.ts';

/** What helps when the browser does not even ask any more. */
export const DENIED_STEPS =
  'Чтобы включить: нажмите на значок слева от адреса сайта, откройте «Разрешения», выберите для уведомлений «Разрешить» и обновите страницу. В установленном приложении — в настройках телефона, в разделе уведомлений.';

export interface Subscribing {
  /** To be called in the very click. */
  subscribe: () => void;
  isPending: boolean;
  isError: boolean;
}

/** Subscribes this browser. Not a mutation of the query client, which begins its work only after the click. */
export function useSubscribe(userId: number): Subscribing {
  const queryClient = useQueryClient();
  const [state, setState] = useState<'idle' | 'pending' | 'error'>('idle');
  const succeed = () => {
    setState('idle');
    toast({ title: 'Уведомления включены', tone: 'success' });
    void queryClient.invalidateQueries({ queryKey: devicesQuery.queryKey });
  };
  const fail = (error: unknown) => {
    setState('error');
    const isRefused =
      readPushState() === 'denied' || (error instanceof DOMException && error.name === 'NotAllowedError');
    // Who has just said no need not be told so.
    if (isRefused) return;
    const fallback = 'Браузер не смог подключиться к службе уведомлений. Попробуйте ещё раз позже';
    const description = error instanceof ApiError ? describeError(error, fallback) : fallback;
    toast({ title: 'Не удалось включить уведомления', description, tone: 'danger' });
  };
  return {
    subscribe: () => {
      if (state === 'pending') return;
      setState('pending');
      subscribeInClick(userId).then(succeed, fail);
    },
    isPending: state === 'pending',
    isError: state === 'error',
  };
}
