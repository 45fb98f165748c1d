import { BeforeAfter, type BeforeAfterPicture } from '#pwa/components/before-after.tsx';
import { CropFrame } from '#pwa/components/crop-frame.tsx';
import { LostPicture } from './loss-notice.tsx';

export interface ComparedPictureProps {
  isLost: boolean;
  /** Null when nobody knows the source photo. */
  before: BeforeAfterPicture | null;
  after: BeforeAfterPicture;
}

/** A finished picture compared with its source photo. A lost one takes no room on a narrow screen. */
export function ComparedPicture({ isLost, before, after }: ComparedPictureProps) {
  return (
    <div className={isLost ? 'max-lg:hidden' : 'max-lg:mx-2'}>
      {isLost ? (
        <CropFrame>
          <div className="pic">
            <LostPicture />
          </div>
        </CropFrame>
      ) : before ? (
        <BeforeAfter before={before} after={after} />
      ) : (
        <CropFrame>
          <img className="ph" src={after.url} alt={after.alt} />
        </CropFrame>
      )}
    </div>
  );
}
