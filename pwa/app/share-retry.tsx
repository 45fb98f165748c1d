import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { toast } from '#pwa/components/toast.ts';
import { nb } from '#pwa/lib/format.ts';
import { SHARE_QUERY } from '#shared/rules/share-target.ts';

/** A photo was shared with the app, but nothing was there to keep it: says so once. */
export function ShareRetry() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (new URLSearchParams(search).get('share') !== SHARE_QUERY.retry) return;
    toast({
      title: 'Фото не дошло',
      description: nb('Поделитесь им ещё раз или выберите его в разделе «Видео»'),
      tone: 'danger',
    });
    void navigate(pathname, { replace: true, preventScrollReset: true });
  }, [pathname, search, navigate]);
  return null;
}
