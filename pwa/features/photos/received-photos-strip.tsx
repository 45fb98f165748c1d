import { X } from 'lucide-react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { keepPreview, readReceived } from '#pwa/features/uploads/received-photos.ts';
import type { ReceivedPhoto } from '#pwa/features/uploads/shared-photos.ts';
import { nb } from '#pwa/format.ts';
import { fromSource } from '#pwa/paths.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { countWaiting } from './received-texts.ts';
import { drawPreview } from './shrink-photo.ts';
import type { ReceivedPhotos } from './use-received-photos.ts';

export interface ReceivedPhotosStripProps extends ReceivedPhotos {
  canTake: boolean;
  /** Called when the pressed control has disappeared without a replacement, so the focus must move elsewhere. */
  onFocusLost: () => void;
}

const NOT_NOW = 'Сейчас фото сменить нельзя';

/** The waiting photos of shares. A press takes one or removes it. */
export function ReceivedPhotosStrip({ photos, take, putAway, canTake, onFocusLost }: ReceivedPhotosStripProps) {
  usePreviews(photos);
  const putAwayOne = (photo: ReceivedPhoto, { currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const item = currentTarget.closest('li');
    const neighbour = item?.nextElementSibling ?? item?.previousElementSibling;
    const next = neighbour?.querySelector<HTMLButtonElement>('button:last-of-type');
    if (next) next.focus();
    else onFocusLost();
    putAway([photo]);
  };
  return (
    <section className="mt-3" aria-labelledby="received-photos">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h3 id="received-photos" className="text-sm font-semibold">
          {countWaiting(photos.length)}
        </h3>
        <button
          type="button"
          className="link text-sm min-h-11"
          onClick={() => {
            onFocusLost();
            putAway(photos);
          }}
        >
          {photos.length > 1 ? 'Убрать все' : 'Убрать'}
        </button>
      </div>
      <ul className="flex gap-2 overflow-x-auto p-1 -m-1">
        {photos.map((photo) => (
          <li key={photo.id} className="relative flex-none w-[84px]">
            <button
              type="button"
              className="pic block w-full disabled:opacity-45 disabled:cursor-not-allowed"
              aria-label={`Взять фото ${photo.name}`}
              title={canTake ? photo.name : NOT_NOW}
              disabled={!canTake}
              onClick={() => {
                onFocusLost();
                take(photo);
              }}
            >
              <Preview {...photo} />
            </button>
            <button
              type="button"
              className="absolute top-0 right-0 size-11 grid justify-items-end p-1"
              aria-label={`Убрать фото ${photo.name}`}
              title="Убрать"
              onClick={(event) => putAwayOne(photo, event)}
            >
              <span className="size-7 rounded-control bg-plate text-on-plate grid place-items-center">
                <X className="ic ic-s" />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="text-xs text-muted mt-2">
        {nb(`${canTake ? 'Нажмите, чтобы взять' : NOT_NOW}. Хранятся неделю, только на этом устройстве. `)}
        {photos.length > 1 && (
          <Link className="link" to={PATHS.batches} state={fromSource('received_photos')}>
            {nb('Сделать все одной партией')}
          </Link>
        )}
      </p>
    </section>
  );
}

/** The preview of a photo, or its name if the browser cannot read it. */
function Preview({ name, preview }: Pick<ReceivedPhoto, 'name' | 'preview'>) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!preview) return;
    const made = URL.createObjectURL(new Blob([preview], { type: 'image/jpeg' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [preview]);
  if (url) return <img className="ph" src={url} alt="" />;
  return (
    <span className="ph grid place-items-end p-1.5 text-muted">
      {preview === null && <span className="text-xs text-left w-full line-clamp-3 break-all">{name}</span>}
    </span>
  );
}

/** Draws missing previews one after another, because whole photos need a lot of memory. */
function usePreviews(photos: readonly ReceivedPhoto[]): void {
  const bare = photos.filter(({ preview }) => preview === undefined);
  const latest = useRef(bare);
  latest.current = bare;
  const bareIds = bare.map(({ id }) => id).join();
  useEffect(() => {
    if (bareIds === '') return;
    let isCurrent = true;
    const make = async (photo: ReceivedPhoto) => {
      const file = await readReceived(photo);
      if (!file || !isCurrent) return;
      const preview = await drawPreview(file);
      if (isCurrent) await keepPreview(photo.id, preview);
    };
    const makeNext = async () => {
      for (const photo of latest.current) {
        try {
          // Storing the preview updates the list, and then the next photo has its turn.
          return await make(photo);
        } catch (error) {
          console.warn('a photo waits without a picture:', error);
        }
      }
    };
    void makeNext();
    return () => {
      isCurrent = false;
    };
  }, [bareIds]);
}
