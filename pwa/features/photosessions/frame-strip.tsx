import silhouette1 from '#pwa/assets/art/sil1.svg';
import silhouette2 from '#pwa/assets/art/sil2.svg';
import silhouette3 from '#pwa/assets/art/sil3.svg';
import silhouette4 from '#pwa/assets/art/sil4.svg';
import silhouette5 from '#pwa/assets/art/sil5.svg';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { useFrameSort } from '#pwa/features/tools/tools.ts';
import { nameFrame } from '#shared/rules/tool-abilities.ts';
import { type PhotosessionFrame, placeFrames } from './photosession-tool.ts';

const SILHOUETTES = [silhouette1, silhouette2, silhouette3, silhouette4, silhouette5];

export interface FrameStripProps {
  /** The positions of the frames that are made. */
  positions: readonly number[];
  images: readonly PhotosessionFrame[];
  onEnlarge: (image: PhotosessionFrame) => void;
}

/** The frames of a running session. Each appears when it is ready. */
export function FrameStrip({ positions, images, onEnlarge }: FrameStripProps) {
  const sort = useFrameSort();
  return (
    <ul className={`grid gap-2 md:gap-3 mt-6 ${positions.length > 3 ? 'grid-cols-5' : 'grid-cols-3 max-w-[480px]'}`}>
      {placeFrames(images, positions).map(({ position, image }) => (
        <li key={position}>
          {image ? (
            <button
              type="button"
              className="pic block w-full cursor-zoom-in curtain"
              aria-label={`Увеличить: ${nameFrame(sort, position)}`}
              onClick={() => onEnlarge(image)}
            >
              <ResultPicture url={image.previewUrl} alt={nameFrame(sort, position)} />
            </button>
          ) : (
            <div className="drop aspect-[3/4] grid place-items-center">
              <img src={sort === 'poses' ? SILHOUETTES[position] : silhouette1} alt="" className="w-[52%] h-auto sil" />
            </div>
          )}
          <div className="num text-xs text-muted mt-1.5 truncate">{nameFrame(sort, position)}</div>
        </li>
      ))}
    </ul>
  );
}
