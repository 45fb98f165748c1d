import { useState } from 'react';
import { PictureViewer } from '#pwa/components/picture-viewer.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { GARMENT_TEXTS } from './garment-texts.ts';

export interface GarmentCropsProps {
  crops: { sourceUrl: string; resultUrl: string };
  /** What the crops show, for screen readers: «Поза 2». Null for the only result. */
  frame: string | null;
}

/** The same part of the garment in the photo and in the result, side by side. A press enlarges them. */
export function GarmentCrops({ crops: { sourceUrl, resultUrl }, frame }: GarmentCropsProps) {
  const [viewed, setViewed] = useState<number | null>(null);
  const pictures = [
    { id: sourceUrl, url: sourceUrl, title: GARMENT_TEXTS.sourceCrop },
    { id: resultUrl, url: resultUrl, title: GARMENT_TEXTS.resultCrop },
  ];
  const nameCrop = (title: string) => [frame, title].filter(Boolean).join(', ');
  return (
    <div className="grid grid-cols-2 gap-2">
      {pictures.map(({ id, url, title }, index) => (
        <figure key={id} className="min-w-0">
          <button
            type="button"
            className="pic block w-full cursor-zoom-in bg-sunken"
            aria-label={`Увеличить: ${nameCrop(title)}`}
            onClick={() => setViewed(index)}
          >
            <ResultPicture
              url={url}
              alt={`${nameCrop(title)}: фрагмент вещи`}
              className="block w-full aspect-square object-contain"
            />
          </button>
          <figcaption className="text-xs mt-1">{title}</figcaption>
        </figure>
      ))}
      <PictureViewer pictures={pictures} index={viewed} onIndexChange={setViewed} />
    </div>
  );
}
