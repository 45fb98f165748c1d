import type { ReactNode } from 'react';
import silhouette from '#pwa/assets/art/sil1.svg';
import { CropFrame } from '#pwa/components/crop-frame.tsx';

/** The picture in the middle while there is no video: the whole photo in a 3:4 frame, dimmed under an overlay. */
export function PhotoStage({ pictureUrl, overlay }: { pictureUrl: string | null; overlay: ReactNode }) {
  return (
    <CropFrame>
      <div className="pic grid bg-sunken">
        <div className="col-start-1 row-start-1 aspect-[3/4]" />
        {pictureUrl ? (
          <img className="absolute inset-0 size-full object-contain" src={pictureUrl} alt="Исходное фото" />
        ) : (
          <Silhouette />
        )}
        {overlay && (
          <>
            <div className="stage-scrim absolute inset-0" />
            <div className="stage-overlay col-start-1 row-start-1 self-end relative px-5 pb-5 text-white">
              {overlay}
            </div>
          </>
        )}
      </div>
    </CropFrame>
  );
}

/** Where the video will be, before there is a photo. */
export function EmptyStage() {
  return (
    <CropFrame>
      <div className="bg-sunken aspect-[3/4] rounded-print relative overflow-hidden">
        <Silhouette />
        <p className="absolute inset-x-0 bottom-5 text-center text-sm text-muted">Здесь появится видео</p>
      </div>
    </CropFrame>
  );
}

function Silhouette() {
  return <img src={silhouette} alt="" className="sil absolute inset-x-0 top-[8%] mx-auto h-[76%] w-auto" />;
}
