import { type ReactNode, useRef } from 'react';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { useOnline } from '#pwa/device/use-online.ts';
import type { UploadWait } from '#pwa/features/uploads/queued-upload.ts';
import { formatBytes, nb } from '#pwa/format.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';

export interface UploadingPhotoCardProps {
  name: string;
  previewUrl: string;
  /** The share of the bytes sent, 0 to 1; null while unknown. */
  share: number | null;
}

export function UploadingPhotoCard({ name, previewUrl, share }: UploadingPhotoCardProps) {
  return (
    <div className="drop p-3 flex gap-4 items-center">
      <Thumbnail url={previewUrl} />
      <div className="min-w-0 flex-1">
        <div className="text-sm font-medium truncate">{name}</div>
        <div className="num text-xs text-muted mb-2" role="status">
          Загружаем фото…
        </div>
        <StitchProgress value={share} label="Загрузка фото" />
      </div>
    </div>
  );
}

export interface WaitingPhotoCardProps {
  name: string;
  previewUrl: string;
  wait: UploadWait;
  onGiveUp: () => void;
  onRetry: () => void;
}

/** A photo that waits on the device: for a network, or for the next try after one that did not succeed. */
export function WaitingPhotoCard({ name, previewUrl, wait, onGiveUp, onRetry }: WaitingPhotoCardProps) {
  const isOnline = useOnline();
  const removal = useRef<HTMLButtonElement>(null);
  const retry = () => {
    // The pressed button goes away.
    removal.current?.focus();
    onRetry();
  };
  return (
    <div className="drop p-3 flex gap-4 items-center">
      <Thumbnail url={previewUrl} />
      <div className="min-w-0 flex-1">
        <div className="text-sm font-medium truncate">{name}</div>
        <div className="text-xs text-muted" role="status">
          {nb(describeWait(wait, isOnline))}
        </div>
        <div className="flex flex-wrap gap-x-4">
          {(wait.isStopped || wait.trouble !== null || wait.awaitsConsent) && (
            <button type="button" className={LINK} onClick={retry}>
              {wait.awaitsConsent ? 'Прочитать документы' : 'Повторить'}
            </button>
          )}
          <button ref={removal} type="button" className={LINK} onClick={onGiveUp}>
            Убрать
          </button>
        </div>
      </div>
    </div>
  );
}

function describeWait({ isStopped, trouble, isRepeated, awaitsConsent }: UploadWait, isOnline: boolean): string {
  if (awaitsConsent) return 'Фото сохранено и отправится, когда вы согласитесь с документами';
  if (isStopped) return trouble ?? 'Не удалось загрузить. Проверьте интернет и повторите';
  if (!isOnline) return 'Отправится, когда появится связь';
  if (trouble !== null) return `${trouble}. Мы повторим и сами`;
  return isRepeated ? 'Загружаем снова…' : 'Соединение прервалось, загружаем снова…';
}

export interface UploadedPhotoCardProps {
  photo: UploadedPhoto;
  /** The line about its article. */
  article: ReactNode;
  canChange: boolean;
  onReplace: () => void;
  onOpenGallery: () => void;
}

/** The chosen photo with `1200×1600 · 2,4 МБ`, «Заменить» and «Из галереи». */
export function UploadedPhotoCard({ photo, article, canChange, onReplace, onOpenGallery }: UploadedPhotoCardProps) {
  return (
    <div className="drop p-3 flex gap-4 items-center">
      <Thumbnail url={photo.thumbnailUrl} />
      <div className="min-w-0 flex-1">
        <PhotoFacts photo={photo} />
        {article}
        <div className="flex flex-wrap gap-x-4 -mb-2">
          <button type="button" className={LINK} disabled={!canChange} onClick={onReplace}>
            Заменить
          </button>
          <button type="button" className={LINK} disabled={!canChange} onClick={onOpenGallery}>
            Из галереи
          </button>
        </div>
      </div>
    </div>
  );
}

/** The name, and `1200×1600 · 2,4 МБ`. */
export function PhotoFacts({ photo }: { photo: UploadedPhoto }) {
  return (
    <>
      <div className="text-sm font-medium truncate" title={photo.name}>
        {photo.name}
      </div>
      <div className="num text-xs text-muted">
        {photo.width}×{photo.height} · {formatBytes(photo.size)}
      </div>
    </>
  );
}

const LINK = 'link text-sm min-h-11 disabled:text-subtle disabled:no-underline disabled:cursor-not-allowed';

/** Decorative, because the preview beside it shows the same picture. */
function Thumbnail({ url }: { url: string }) {
  return (
    <div className="pic w-[78px] flex-none">
      <ResultPicture url={url} alt="" />
    </div>
  );
}
