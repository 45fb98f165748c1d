import { ImagePlus, SlidersHorizontal } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';

export interface NextPhotoActionsProps {
  /** Keeps the settings and takes the photo away. */
  onNextPhoto: () => void;
  /** Keeps the photo and leads back to the settings. Null where the photo is gone. */
  onOtherSettings: (() => void) | null;
}

/** How a seller goes on after a result: to the next product, or to another result of this one. */
export function NextPhotoActions({ onNextPhoto, onOtherSettings }: NextPhotoActionsProps) {
  return (
    <>
      <Button icon={<ImagePlus className="ic" />} onClick={onNextPhoto}>
        Следующее фото
      </Button>
      {onOtherSettings && (
        <Button
          variant="second"
          className="max-[359px]:!px-2"
          icon={<SlidersHorizontal className="ic max-[359px]:hidden" />}
          onClick={onOtherSettings}
        >
          Другие настройки этого фото
        </Button>
      )}
    </>
  );
}
