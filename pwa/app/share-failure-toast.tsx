import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { toast } from '#pwa/components/toast.ts';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import { nb } from '#pwa/format.ts';
import { SHARE_QUERY } from '#shared/rules/share-target.ts';

const FAILURES: Partial<Record<string, { title: string; description: string }>> = {
  [SHARE_QUERY.retry]: {
    title: 'Фото не дошло',
    description: 'Поделитесь им ещё раз или выберите его в разделе «Видео»',
  },
  [SHARE_QUERY.noPhoto]: {
    title: 'Фото не найдено',
    description: 'В том, чем вы поделились, нет фото. Поделитесь снимком или выберите его в разделе «Видео»',
  },
};

/**
 * Shows once that something shared with the app could not be used as a photo. The service worker names the reason in
 * the query.
 */
export function ShareFailureToast() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const failure = FAILURES[new URLSearchParams(search).get('share') ?? ''];
    if (!failure) return;
    toast({ title: failure.title, description: nb(failure.description), tone: 'danger' });
    void navigate(pathname, { replace: true, state: KEEP_SCROLL });
  }, [pathname, search, navigate]);
  return null;
}
