import { Layers, Play, Trash2, Undo2 } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { ResultTitle } from '#pwa/components/result-title.tsx';
import { toDeviceTime } from '#pwa/device/server-clock.ts';
import { LostPicture } from '#pwa/features/generations/loss-notice.tsx';
import { nb } from '#pwa/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import type { DeletedEntry } from './deleted-items.ts';
import { titleEntry } from './gallery-entries.ts';
import { tagResult } from './gallery-item.ts';

const DAY_MS = 24 * 60 * 60_000;

export interface DeletedCardProps {
  entry: DeletedEntry;
  isBusy: boolean;
  onRestore: () => void;
  onRemove: () => void;
}

/** A deleted result, or deleted frames of a photo session: how long they are kept, and what can be done with them. */
export function DeletedCard({ entry, isBusy, onRestore, onRemove }: DeletedCardProps) {
  const { kind, made, pictureUrl, isLost } = entry[0];
  const title = titleEntry(entry);
  const [firstGone = ''] = entry.map(({ removedAt }) => removedAt).sort();
  return (
    <article className={`flex flex-col h-full ${isBusy ? 'opacity-45' : ''}`} aria-busy={isBusy || undefined}>
      <div className="pic">
        {isLost ? <LostPicture /> : <ResultPicture url={pictureUrl} alt="" isLazy />}
        <span className="tag plate">
          {kind === 'video' && <Play className="ic ic-s !size-3" />}
          {entry.length > 1 && <Layers className="ic ic-s !size-3" />}
          {entry.length > 1 ? `${tagResult(made)}: ${entry.length}` : tagResult(made)}
        </span>
      </div>
      <h2 className="text-sm font-semibold mt-2.5">
        <ResultTitle title={title} />
      </h2>
      <p className="num text-xs text-muted mb-2">{describeTimeLeft(firstGone, Date.now())}</p>
      <div className="mt-auto grid gap-1">
        <Button
          variant="second"
          size="sm"
          className="max-sm:!px-1"
          icon={<Undo2 className="ic ic-s max-[420px]:hidden" />}
          disabled={isBusy}
          onClick={onRestore}
          aria-label={`Восстановить: ${title}`}
        >
          Восстановить
        </Button>
        <Button
          variant="quiet"
          size="sm"
          className="max-sm:!px-1"
          icon={<Trash2 className="ic ic-s max-[420px]:hidden" />}
          disabled={isBusy}
          onClick={onRemove}
          aria-label={`Удалить сейчас: ${title}`}
        >
          Удалить сейчас
        </Button>
      </div>
    </article>
  );
}

/** «Исчезнет через 30 дней». `now`: milliseconds since 1970, of this device. */
export function describeTimeLeft(removedAt: string, now: number): string {
  const days = Math.ceil((toDeviceTime(removedAt) - now) / DAY_MS);
  if (days <= 1) return nb('Исчезнет в течение суток');
  return nb(`Исчезнет через ${days} ${pluralize(days, ['день', 'дня', 'дней'])}`);
}
