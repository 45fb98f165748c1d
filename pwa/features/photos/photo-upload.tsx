import { Camera, Images, ImageUp, OctagonAlert, TriangleAlert } from 'lucide-react';
import {
  type ComponentType,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router-dom';
import { Button } from '#pwa/components/button.tsx';
import { toast } from '#pwa/components/toast.ts';
import { ignoreFailure } from '#pwa/device/storage.ts';
import { useMediaQuery } from '#pwa/device/use-media-query.ts';
import { keepDropped, sortShare } from '#pwa/features/uploads/received-photos.ts';
import type { UploadSlot } from '#pwa/features/uploads/upload-queue.ts';
import { nb } from '#pwa/format.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { PHOTO_HINT } from '#shared/rules/photo-requirements.ts';
import { FileInput } from './file-input.tsx';
import { useFileDrop, usePastedFile } from './file-transfer.ts';
import { GalleryDialog } from './gallery-dialog.tsx';
import { KeptPhotosButton } from './kept-photos-button.tsx';
import { PhotoArticle } from './photo-article.tsx';
import { UploadedPhotoCard, type UploadedPhotoCardProps, UploadingPhotoCard, WaitingPhotoCard } from './photo-card.tsx';
import { inviteToChoose, listPhotoWarnings } from './photo-checks.ts';
import { PhotoGuidelines } from './photo-guidelines.tsx';
import { ReceivedPhotosStrip } from './received-photos-strip.tsx';
import { FIRST_TAKEN } from './received-texts.ts';
import { type PhotoUploading, type PhotoUploadState, type UploadOutcome, usePhotoUpload } from './use-photo-upload.ts';
import { useReceivedPhotos } from './use-received-photos.ts';

const PHOTO_WORDS = {
  product: { title: 'Фото товара', advice: 'Вещь целиком, без инфографики' },
  person: { title: 'Фото человека', advice: 'В полный рост или по пояс, лицом к камере' },
};
type PhotoSort = keyof typeof PHOTO_WORDS;
const PERSON_HINT = `${PHOTO_HINT}. Только взрослый человек, который согласен на примерку`;

export interface PhotoUploadHandle {
  focus: () => void;
  /**
   * Unless there is a photo, takes the next one that was shared with the app, or else opens the file chooser. Browsers
   * allow that only during a press.
   */
  ask: () => void;
}

export interface PhotoUploadProps {
  ref?: Ref<PhotoUploadHandle>;
  photo: UploadedPhoto | null;
  onChange: (photo: UploadedPhoto) => void;
  /** The same photo with another article. Absent where the photo shows no product. */
  onArticleChange?: (photo: UploadedPhoto) => void;
  slot: UploadSlot;
  /** What the photo shows. */
  shows?: PhotoSort;
  /** Where a page has several uploads: whether pasted photos, and those shared with the app, go to this one. */
  isMain?: boolean;
  /** Takes the first of the photos that were shared with the app or opened from the computer's files. */
  takesReceived?: boolean;
  /** Disables changes, for example while a generation from this photo runs. */
  isLocked?: boolean;
  /** A file from elsewhere, such as a sample. Each is uploaded once, as soon as that is possible. */
  incoming?: File | null;
  /** An additional warning of this tool; null for none. */
  warnOf?: (photo: UploadedPhoto) => string | null;
  /** The component that shows the chosen photo. */
  card?: ComponentType<UploadedPhotoCardProps>;
}

/** The upload of one photo: by drop, click, paste, camera or from the gallery. */
export function PhotoUpload({
  ref,
  photo,
  onChange,
  onArticleChange,
  slot,
  shows = 'product',
  isMain = true,
  takesReceived = false,
  isLocked = false,
  incoming = null,
  warnOf,
  card = UploadedPhotoCard,
}: PhotoUploadProps) {
  const hasTouch = useMediaQuery('(pointer: coarse)');
  const [isGalleryOpen, setIsGalleryOpen] = useState(false);
  const openGallery = () => setIsGalleryOpen(true);
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const uploading = usePhotoUpload(onChange, slot);
  const { state, upload, refuseLink, shrink, giveUp } = uploading;
  const transfer = {
    onFiles: (transferred: readonly File[]) => takeFirstOf(transferred, upload),
    onLink: refuseLink,
  };

  // True without a network too: the photo is then queued on the device.
  const canUpload = !isLocked;
  const received = useReceivedPhotos(upload, { takesFirst: takesReceived, canTake: canUpload });
  const heading = useRef<HTMLHeadingElement>(null);
  const place = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({
    focus() {
      heading.current?.scrollIntoView({ block: 'nearest' });
      const zone = place.current?.querySelector('button');
      (zone ?? heading.current)?.focus({ preventScroll: true });
    },
    ask() {
      if (photo || !canUpload) return;
      const [waiting] = received.photos;
      if (isMain && waiting) received.take(waiting);
      else files.current?.click();
    },
  }));
  useIncomingFile(incoming, upload, canUpload);
  usePastedFile(transfer, canUpload && isMain);
  const { isOver, handlers } = useFileDrop(transfer, canUpload);

  return (
    <div>
      <h2 ref={heading} tabIndex={-1} className="sec mb-2.5">
        {PHOTO_WORDS[shows].title}
      </h2>
      <div ref={place} {...handlers}>
        <PhotoPlace
          isOver={isOver}
          photo={photo}
          card={card}
          hasTouch={hasTouch}
          canUpload={canUpload}
          advice={PHOTO_WORDS[shows].advice}
          uploading={uploading}
          article={photo && onArticleChange && <PhotoArticle key={photo.id} photo={photo} onChange={onArticleChange} />}
          onChoose={() => files.current?.click()}
          onOpenGallery={openGallery}
        />
      </div>
      {!photo && state.phase !== 'uploading' && state.phase !== 'waiting' && (
        <OtherSources
          hasTouch={hasTouch}
          canUpload={canUpload}
          onOpenCamera={() => camera.current?.click()}
          onOpenGallery={openGallery}
        />
      )}
      <ShrinkOffer state={state} onShrink={shrink} />
      {state.phase === 'failed' && state.needsRoom && (
        <KeptPhotosButton size="sm" wide className="mt-2">
          Удалить ненужные фото
        </KeptPhotosButton>
      )}
      {photo && <PhotoWarnings photo={photo} ownWarning={warnOf?.(photo)} state={state} />}
      {isMain && received.photos.length > 0 && (
        <ReceivedPhotosStrip
          {...received}
          canTake={canUpload}
          onFocusLost={() => heading.current?.focus({ preventScroll: true })}
        />
      )}
      <Requirements shows={shows} hasPhoto={photo !== null} />
      <FileInput ref={files} onFile={upload} />
      <FileInput ref={camera} onFile={upload} useCamera />
      <GalleryDialog
        open={isGalleryOpen}
        onOpenChange={setIsGalleryOpen}
        onPicked={(picked) => {
          giveUp();
          onChange(picked);
        }}
      />
    </div>
  );
}

/** Uploads a file from elsewhere once, as soon as it is allowed. */
function useIncomingFile(file: File | null, upload: PhotoUploading['upload'], canUpload: boolean): void {
  const taken = useRef<File | null>(null);
  const begin = useEffectEvent(upload);
  useEffect(() => {
    if (!file || file === taken.current || !canUpload) return;
    taken.current = file;
    begin(file);
  }, [file, canUpload]);
}

const ZONE = 'w-full min-h-[168px] lg:min-h-[128px] grid place-items-center text-center p-4';

interface PhotoPlaceProps {
  /** Whether a file is being dragged over the zone. */
  isOver: boolean;
  photo: UploadedPhoto | null;
  card: ComponentType<UploadedPhotoCardProps>;
  hasTouch: boolean;
  canUpload: boolean;
  /** What photo is wanted. */
  advice: string;
  uploading: PhotoUploading;
  /** What the card says of the photo's article. */
  article: ReactNode;
  onChoose: () => void;
  onOpenGallery: () => void;
}

/** The photo in its current state, or the empty upload zone. */
function PhotoPlace({
  isOver,
  photo,
  card: PhotoCard,
  hasTouch,
  canUpload,
  advice,
  uploading: { state, giveUp, retry },
  article,
  onChoose,
  onOpenGallery,
}: PhotoPlaceProps) {
  if (isOver) {
    return (
      <div className={`drop ${ZONE} bg-thread-soft text-thread font-semibold [--color-control:var(--color-thread)]`}>
        Отпустите файл
      </div>
    );
  }
  if (state.phase === 'uploading') {
    return <UploadingPhotoCard name={state.name} previewUrl={state.previewUrl} share={state.share} />;
  }
  if (state.phase === 'waiting') {
    return <WaitingPhotoCard {...state} onGiveUp={giveUp} onRetry={retry} />;
  }
  if (photo) {
    return (
      <PhotoCard
        photo={photo}
        article={article}
        canChange={canUpload}
        onReplace={onChoose}
        onOpenGallery={onOpenGallery}
      />
    );
  }
  if (state.phase === 'failed') {
    return (
      <button
        type="button"
        className={`${ZONE} rounded-panel bg-danger-soft text-danger shadow-[inset_0_0_0_1px_var(--color-danger)]`}
        onClick={onChoose}
        disabled={!canUpload}
      >
        <span>
          <OctagonAlert className="ic ic-l mx-auto mb-2" />
          <span className="block font-semibold">{state.message}</span>
          <span className="block text-sm mt-0.5">Выбрать другой файл</span>
        </span>
      </button>
    );
  }
  return (
    <button type="button" className={`drop ${ZONE}`} onClick={onChoose} disabled={!canUpload}>
      <span>
        <ImageUp className="ic ic-l mx-auto mb-2" />
        <span className="block font-semibold">{nb(inviteToChoose(hasTouch))}</span>
        <span className="block text-sm text-muted mt-0.5">{nb(advice)}</span>
      </span>
    </button>
  );
}

/** For a file that is too large and can be reduced on the device. */
function ShrinkOffer({ state, onShrink }: { state: PhotoUploadState; onShrink: (file: File) => void }) {
  const oversized = state.phase === 'failed' ? state.oversized : null;
  if (!oversized) return null;
  return (
    <Button variant="second" size="sm" wide className="mt-2" onClick={() => onShrink(oversized)}>
      Уменьшить и загрузить
    </Button>
  );
}

interface PhotoWarningsProps {
  photo: UploadedPhoto;
  ownWarning: string | null | undefined;
  state: PhotoUploadState;
}

/** Warnings about the photo, and why another one was not accepted. */
function PhotoWarnings({ photo, ownWarning, state }: PhotoWarningsProps) {
  return (
    <>
      {state.phase === 'failed' && <PhotoWarning tone="danger" text={state.message} />}
      {listPhotoWarnings(photo).map((text) => (
        <PhotoWarning key={text} tone="warning" text={text} />
      ))}
      {ownWarning && <PhotoWarning tone="warning" text={ownWarning} />}
    </>
  );
}

function PhotoWarning({ tone, text }: { tone: 'warning' | 'danger'; text: string }) {
  const Icon = tone === 'danger' ? OctagonAlert : TriangleAlert;
  return (
    <p
      className={`flex gap-2 text-sm mt-2 ${tone === 'danger' ? 'text-danger' : 'text-warning'}`}
      role={tone === 'danger' ? 'alert' : 'status'}
    >
      <Icon className="ic ic-s mt-0.5" />
      {text}
    </p>
  );
}

interface OtherSourcesProps {
  hasTouch: boolean;
  canUpload: boolean;
  onOpenCamera: () => void;
  onOpenGallery: () => void;
}

/** Buttons for the camera, on devices that have one, and for the photos and results that are there already. */
function OtherSources({ hasTouch, canUpload, onOpenCamera, onOpenGallery }: OtherSourcesProps) {
  return (
    <div className="flex flex-wrap gap-2 mt-2">
      {hasTouch && (
        <Button
          variant="second"
          size="sm"
          className="flex-1"
          icon={<Camera className="ic ic-s" />}
          disabled={!canUpload}
          onClick={onOpenCamera}
        >
          Снять фото
        </Button>
      )}
      <Button
        variant="second"
        size="sm"
        className="flex-1"
        icon={<Images className="ic ic-s" />}
        disabled={!canUpload}
        onClick={onOpenGallery}
      >
        {hasTouch ? 'Из галереи' : 'Выбрать из галереи'}
      </Button>
    </div>
  );
}

function Requirements({ shows, hasPhoto }: { shows: PhotoSort; hasPhoto: boolean }) {
  if (shows === 'person') return <p className="text-xs text-muted mt-2">{nb(PERSON_HINT)}</p>;
  return (
    <>
      <p className="text-xs text-muted mt-2">
        {nb(PHOTO_HINT).replace(' px', '\u00a0px')}.{' '}
        <Link className="link" to={PATHS.photoGuidelines}>
          {hasPhoto ? 'Примеры' : 'Требования'}
        </Link>
      </p>
      {/* With a photo the link above is enough, and the whole form fits the window. */}
      {!hasPhoto && <PhotoGuidelines />}
    </>
  );
}

type Upload = (file: File) => Promise<UploadOutcome>;

/** Uploads the first photo of a drop. The others wait on the device as shared photos do. */
function takeFirstOf(files: readonly File[], upload: Upload): void {
  const [only, another] = files;
  if (only && another) ignoreFailure(takeFirst(files, only, upload));
  else if (only) void upload(only);
}

async function takeFirst(files: readonly File[], fallback: File, upload: Upload): Promise<void> {
  const share = await sortShare(files);
  // Nothing in it can be a photo: the error of any file says what is taken.
  if (!share) return void upload(fallback);
  const handled = upload(share.first).then((outcome) => {
    if (outcome === 'kept' && share.others.length > 0) toast(FIRST_TAKEN);
  });
  await Promise.all([handled, keepDropped(share, handled)]);
}
