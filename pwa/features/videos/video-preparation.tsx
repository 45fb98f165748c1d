import { useEffect, useState } from 'react';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { useOnline } from '#pwa/device/use-online.ts';
import { nb } from '#pwa/format.ts';

/** Longer than a copy usually takes. */
const LONG_MS = 20_000;

/** Says over the poster that the server is making the file, and that nothing has to be done. */
export function VideoPreparation({ className }: { className: string }) {
  const isOnline = useOnline();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={`absolute rounded-panel bg-plate text-on-plate p-4 ${className}`} role="status">
      <p className="font-semibold">Видео создано, готовим просмотр…</p>
      <p className="text-sm mt-1">{describeWait(isOnline, isLong)}</p>
      <StitchProgress className="mt-3" still={!isOnline} />
    </div>
  );
}

function describeWait(isOnline: boolean, isLong: boolean): string {
  if (!isOnline) return nb('Ждём сеть. Видео готовится на сервере.');
  if (isLong) return nb('Это дольше обычного. Страницу можно закрыть: видео останется в истории.');
  return nb('Обычно это занимает до полуминуты, в очереди дольше.');
}
