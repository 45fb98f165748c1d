import { ImagePlus } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { nb } from '#pwa/format.ts';
import { type Line, LineNote } from './line.tsx';

export interface PrepareNextProps {
  /** Absent where the form stands beside it and says it. */
  line?: Line;
  onPress: () => void;
  className: string;
}

/** Leads from a running generation to the form of the next one. */
export function PrepareNext({ line, onPress, className }: PrepareNextProps) {
  return (
    <div className={className}>
      <p className="text-sm text-muted mb-2">
        {nb('Пока это создаётся, подготовьте следующее фото: оно встанет в очередь и начнётся само.')}
      </p>
      <Button variant="second" icon={<ImagePlus className="ic" />} className="max-md:w-full" onClick={onPress}>
        Подготовить следующее
      </Button>
      {line && <LineNote line={line} className="mt-2" />}
    </div>
  );
}
