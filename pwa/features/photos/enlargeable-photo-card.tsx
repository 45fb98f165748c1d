import { ZoomIn } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { PictureViewer } from '#pwa/components/picture-viewer.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { PhotoFacts, type UploadedPhotoCardProps } from './photo-card.tsx';

/** The chosen photo beside its name. It opens in the viewer. */
export function EnlargeablePhotoCard({ photo, article, canChange, onReplace, onOpenGallery }: UploadedPhotoCardProps) {
  const [viewed, setViewed] = useState<number | null>(null);
  return (
    <div className="flex gap-4 items-center">
      <button
        type="button"
        className="pic block w-20 min-[360px]:w-24 flex-none cursor-zoom-in"
        aria-label="Увеличить фото"
        onClick={() => setViewed(0)}
      >
        <ResultPicture url={photo.previewUrl} alt="" />
        <span className="absolute right-1.5 bottom-1.5 size-8 rounded-control bg-plate text-on-plate grid place-items-center">
          <ZoomIn className="ic ic-s" />
        </span>
      </button>
      <div className="flex-1 min-w-0">
        <PhotoFacts photo={photo} />
        {article}
        <div className="flex flex-wrap gap-2 mt-3">
          <Button variant="second" size="sm" disabled={!canChange} onClick={onReplace}>
            Выбрать другое фото
          </Button>
          <Button variant="quiet" size="sm" disabled={!canChange} onClick={onOpenGallery}>
            Из галереи
          </Button>
        </div>
      </div>
      <PictureViewer
        pictures={[{ id: photo.id, url: photo.previewUrl, title: photo.name }]}
        index={viewed}
        onIndexChange={setViewed}
      />
    </div>
  );
}
