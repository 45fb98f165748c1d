import { Check, FolderDown, Images, Plus } from 'lucide-react';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { DownloadButton, DownloadIconButton } from '#pwa/features/downloads/download-button.tsx';
import { ShareButton, type ShareTarget } from '#pwa/features/downloads/share-button.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { DriftTag } from '#pwa/features/generations/drift-tag.tsx';
import { GarmentNotice } from '#pwa/features/generations/garment-notice.tsx';
import { titleDrift } from '#pwa/features/generations/garment-texts.ts';
import { useGarmentChecks } from '#pwa/features/generations/generation-query.ts';
import { LossNotice, LostPicture } from '#pwa/features/generations/loss-notice.tsx';
import { ReportButton } from '#pwa/features/generations/report-button.tsx';
import { buildWayBack } from '#pwa/features/generations/wanted-download.ts';
import { useFrameSort } from '#pwa/features/tools/tools.ts';
import { formatDate, nb } from '#pwa/format.ts';
import type { ResultLoss } from '#shared/contract/generation-outcomes.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { nameFrame } from '#shared/rules/tool-abilities.ts';
import { countImages, describeShortfall } from './describe-photosession.ts';
import type { PhotosessionFrame, PhotosessionView } from './photosession-tool.ts';

const WATERMARK = 'Водяной знак';
/** In the middle column of a desktop the first of an odd number is large, as it is on a phone. */
const FRAME_GRID = 'grid grid-cols-2 md:grid-cols-5 lg:grid-cols-2 xl:grid-cols-3 gap-x-2 gap-y-4 md:gap-3';
const LEAD_FRAME = 'max-md:col-span-2 lg:max-xl:col-span-2 xl:col-span-2 xl:row-span-2';

export interface PhotosessionResultProps {
  session: PhotosessionView;
  onEnlarge: (image: PhotosessionFrame) => void;
  onCreateNew: () => void;
}

/** The frames of a finished session, and what can be done with them. */
export function PhotosessionResult({ session, onEnlarge, onCreateNew }: PhotosessionResultProps) {
  const checks = useGarmentChecks(session.id, session) ?? session;
  const images = sortFrames(session.results);
  const kept = images.filter(({ loss }) => !loss);
  const isWatermarked = images.some((image) => image.isWatermarked);
  const shortfall = describeShortfall(session);
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 mb-4">
        <span className="tag ok">
          <Check className="ic ic-s" />
          Готово
        </span>
        <span className="text-sm text-muted num">
          {countImages(images.length)}, {formatDate(session.createdAt)}
        </span>
        {!isWatermarked && <span className="text-sm text-muted">Коммерческое использование разрешено</span>}
      </div>
      <LostFrames session={session} />
      {shortfall && (
        <Notice tone="info" className="mb-4">
          {shortfall}
        </Notice>
      )}
      <div className="mb-5 grid sm:flex flex-wrap gap-2">
        {kept.length > 1 && (
          <DownloadButton
            target={{
              kind: 'session',
              sessionId: session.id,
              count: kept.length,
              pictureUrl: kept[0]?.previewUrl ?? null,
            }}
            generationId={session.id}
            icon={<FolderDown className="ic" />}
            hasMenu
          >
            Скачать все (ZIP)
          </DownloadButton>
        )}
        <ShareButton targets={kept.map(toFrameTarget)} generationId={session.id} />
        <Button variant={kept.length > 1 ? 'second' : 'primary'} icon={<Plus className="ic" />} onClick={onCreateNew}>
          Создать новую
        </Button>
        <ButtonLink variant="second" icon={<Images className="ic" />} to={PATHS.gallery}>
          Открыть галерею
        </ButtonLink>
      </div>
      <ul className={FRAME_GRID}>
        {images.map((image, index) => (
          <li key={image.id} className={index === 0 && images.length % 2 === 1 ? LEAD_FRAME : ''}>
            <ResultFrame image={image} sessionId={session.id} onEnlarge={() => onEnlarge(image)} />
            <FrameDrift frame={checks.results.find(({ id }) => id === image.id)} />
          </li>
        ))}
      </ul>
      <GarmentNotice generationId={session.id} known={session} className="mt-6" />
      {isWatermarked && (
        <section className="panel p-4 md:p-5 mt-6 flex flex-wrap items-center gap-4 !bg-star-soft">
          <div className="flex-1 basis-56">
            <div className="font-semibold">{nb('Снимите водяной знак с любой покупкой')}</div>
            <p className="text-sm text-muted">{nb('Даже 1 звезда навсегда открывает оригиналы.')}</p>
          </div>
          <BuyStarsButton
            source="photosession_result"
            findWayBack={() =>
              buildWayBack({ kind: 'session', sessionId: session.id, count: images.length }, session.id)
            }
            variant="second"
            icon={<StarIcon />}
            className="max-md:w-full"
          />
        </section>
      )}
    </div>
  );
}

interface ResultFrameProps {
  image: PhotosessionFrame;
  sessionId: string;
  onEnlarge: () => void;
}

function ResultFrame({ image, sessionId, onEnlarge }: ResultFrameProps) {
  const name = nameFrame(useFrameSort(), image.position);
  const isLost = image.loss !== undefined;
  return (
    <>
      <button
        type="button"
        className={`pic block w-full ${isLost ? '' : 'cursor-zoom-in'}`}
        disabled={isLost}
        // The accessible name has all that is written on the picture, for people who use voice control.
        aria-label={nameAsShown(name, image)}
        onClick={onEnlarge}
      >
        {isLost ? <LostPicture /> : <ResultPicture url={image.previewUrl} alt={name} />}
        {image.isWatermarked && !isLost && <span className="tag plate">{WATERMARK}</span>}
      </button>
      <div className="flex items-center mt-1">
        <span className="num text-sm font-medium mr-auto">{name}</span>
        <ReportButton itemId={image.id} known={image.report} name={name} />
        {!isLost && (
          <DownloadIconButton label={`Скачать: ${name}`} target={toFrameTarget(image)} generationId={sessionId} />
        )}
      </div>
    </>
  );
}

function nameAsShown(name: string, { loss, isWatermarked }: PhotosessionFrame): string {
  if (loss) return `${name}, файл потерян`;
  return `Увеличить: ${name}${isWatermarked ? `, ${WATERMARK}` : ''}`;
}

function FrameDrift({ frame }: { frame: PhotosessionFrame | undefined }) {
  const check = frame?.garmentCheck;
  return check?.verdict === 'drifted' && <DriftTag text={titleDrift(check.drifts)} />;
}

/** A frame as what can be downloaded or shared. */
export function toFrameTarget({ id, previewUrl }: PhotosessionFrame): ShareTarget {
  return { kind: 'image', imageId: id, pictureUrl: previewUrl };
}

export function sortFrames(images: readonly PhotosessionFrame[]): PhotosessionFrame[] {
  return [...images].sort((a, b) => a.position - b.position);
}

/** The stars of lost frames come back together. Shows nothing while all files are there. */
function LostFrames({ session }: Pick<PhotosessionResultProps, 'session'>) {
  const losses = session.results.flatMap(({ loss }) => loss ?? []);
  if (losses.length === 0) return null;
  const loss: ResultLoss = {
    stars: losses.reduce((sum, { stars }) => sum + stars, 0),
    isReturned: losses.every(({ isReturned }) => isReturned),
  };
  return <LossNotice generationId={session.id} loss={loss} className="mb-4" />;
}
