import { ImagePlus } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { nb } from '#pwa/format.ts';

/** Leads from a running generation to the form of the next one. */
export function PrepareNext({ onPress, className }: { onPress: () => void; className: string }) {
  return (
    <div className={className}>
      <p className="text-sm text-muted mb-2">
        {nb('Пока создаётся это, подготовьте следующее фото: оно встанет в очередь и начнётся само.')}
      </p>
      <Button variant="second" icon={<ImagePlus className="ic" />} className="max-md:w-full" onClick={onPress}>
        Подготовить следующее
      </Button>
    </div>
  );
}
