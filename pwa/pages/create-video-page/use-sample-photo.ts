import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import sampleUrl from '#pwa/assets/samples/dress-photo.jpg';
import { toast } from '#pwa/components/toast.ts';
import { nb } from '#pwa/lib/format.ts';
import { hasSampleQuery, withoutSampleQuery } from '#pwa/lib/paths.ts';

/** The photo of ours that the address asks for, once it is here; the request leaves the address at once. */
export function useSamplePhoto(): File | null {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [sample, setSample] = useState<File | null>(null);
  useEffect(() => {
    if (!hasSampleQuery(search)) return;
    // A reload must not upload it again.
    void navigate({ search: withoutSampleQuery(search) }, { replace: true, preventScrollReset: true });
    fetchSample().then(setSample, () =>
      toast({
        title: 'Не удалось загрузить пример',
        description: nb('Проверьте сеть и попробуйте ещё раз или выберите своё фото'),
        tone: 'danger',
      }),
    );
  }, [search, navigate]);
  return sample;
}

async function fetchSample(): Promise<File> {
  const response = await fetch(sampleUrl);
  if (!response.ok) throw new Error(`the sample answers ${response.status}`);
  return new File([await response.blob()], 'Образец.jpg', { type: 'image/jpeg' });
}
