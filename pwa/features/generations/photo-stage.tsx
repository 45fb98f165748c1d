import type { CSSProperties, ReactNode } from 'react';
import silhouette from '#pwa/assets/art/sil1.svg';
import { CropFrame } from '#pwa/components/crop-frame.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import type { AspectRatio } from '#shared/rules/motion-presets.ts';
import './generations.css';

/** The style of a frame with this aspect ratio: as wide as its container, but never taller than the screen. */
export function frameShape(aspectRatio: string): CSSProperties {
  const [width = 3, height = 4] = aspectRatio.split(':').map(Number);
  return { '--frame-ratio': width / height } as CSSProperties;
}

export interface PhotoStageProps {
  /** Null shows a silhouette. */
  pictureUrl: string | null;
  /** The aspect ratio of the future result. */
  aspectRatio?: AspectRatio;
  className?: string;
  /** Shown over the photo, which is then dimmed. */
  children?: ReactNode;
}

/** The source photo in a frame with the aspect ratio of the future result. */
export function PhotoStage({ pictureUrl, aspectRatio = '3:4', className = '', children }: PhotoStageProps) {
  return (
    <CropFrame className={`stage-frame ${className}`} style={frameShape(aspectRatio)}>
      <div className="pic grid bg-sunken">
        <div className="stage-shape col-start-1 row-start-1" />
        {pictureUrl ? (
          <ResultPicture className="absolute inset-0 size-full object-contain" url={pictureUrl} alt="Исходное фото" />
        ) : (
          <Silhouette />
        )}
        {children && (
          <>
            <div className="stage-scrim absolute inset-0" />
            <div className="stage-overlay col-start-1 row-start-1 self-end relative px-5 pb-5 text-white">
              {children}
            </div>
          </>
        )}
      </div>
    </CropFrame>
  );
}

/** The placeholder for the result, before there is a photo. */
export function EmptyStage({ aspectRatio, text }: { aspectRatio: AspectRatio; text: string }) {
  return (
    <CropFrame className="stage-frame" style={frameShape(aspectRatio)}>
      <div className="stage-shape bg-sunken rounded-print relative overflow-hidden">
        <Silhouette />
        <p className="absolute inset-x-0 bottom-5 text-center text-sm text-muted">{text}</p>
      </div>
    </CropFrame>
  );
}

function Silhouette() {
  return <img src={silhouette} alt="" className="sil absolute inset-x-0 top-[8%] mx-auto h-[76%] w-auto" />;
}
