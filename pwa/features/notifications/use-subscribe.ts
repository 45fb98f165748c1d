import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, describeError } from '#pwa/client/api-error.ts';
import { pushState, subscribeInClick } from '#pwa/client/push.ts';
import { toast } from '#pwa/components/toast.ts';
import { devicesQuery } from './push-devices.ts';

/** How to allow notifications when the browser no longer asks. */
export const DENIED_STEPS =
  'Чтобы включить: нажмите на значок слева от адреса сайта, откройте «Разрешения», выберите для уведомлений «Разрешить» и обновите страницу. В установленном приложении — в настройках телефона, в разделе уведомлений.';

export interface Subscribing {
  /** Call it directly in the click handler. */
  subscribe: () => void;
  isPending: boolean;
  isError: boolean;
}

/** Subscribes this browser. It is not a mutation of the query client, because that starts its work after the click. */
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
      pushState.get() === 'denied' || (error instanceof DOMException && error.name === 'NotAllowedError');
    // A person who has just refused needs no message.
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
