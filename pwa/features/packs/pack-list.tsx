import { OctagonAlert, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import type { WayBack } from '#pwa/features/generations/way-back.ts';
import { formatBytes, formatLongDate, formatRecentDate, nb } from '#pwa/format.ts';
import type { Pack } from '#shared/contract/packs.ts';
import { MARKETPLACE_NAMES } from '#shared/rules/marketplaces.ts';
import { EXTRA_FOLDER } from '#shared/rules/packs.ts';
import { type Refusal, useDeletePack } from './pack-queries.ts';
import { countFiles } from './pack-texts.ts';

export interface PackListProps {
  packs: readonly Pack[];
  /** From a payment to this list. */
  wayBack: WayBack | null;
  /** What was not ordered. */
  refusal: Refusal | null;
  onOrderRest: () => void;
  /** Whether something is being ordered, and in place of which pack. */
  ordering: { isPending: boolean; replacedId: string | undefined };
  /** Has a failed pack made again. Null where nobody knows what it was made of. */
  onRepeat: (pack: Pack) => (() => void) | null;
}

/** Packs that are being made, are ready or have failed. */
export function PackList({ packs, wayBack, refusal, onOrderRest, ordering, onRepeat }: PackListProps) {
  const isOnline = useOnline();
  const making = packs.filter(({ status }) => status === 'making').length;
  return (
    <div className="grid gap-4">
      <p className="text-sm num" role="status">
        {nb(
          making > 0
            ? `Собирается: ${making} из ${packs.length}. Окно можно закрыть, пакеты соберутся без него.`
            : `Готово: ${packs.filter(({ status }) => status === 'ready').length} из ${packs.length}`,
        )}
      </p>
      {!isOnline && (
        <Notice tone="warning" title="Нет сети">
          {nb('Скачать и собрать пакеты можно будет, когда связь вернётся.')}
        </Notice>
      )}
      {refusal && (
        <Notice
          tone="danger"
          title={nb(
            `Не собрано: ${refusal.rest.marketplaces.map((marketplace) => MARKETPLACE_NAMES[marketplace]).join(', ')}`,
          )}
          action={
            <Button
              variant="second"
              size="sm"
              loading={ordering.isPending}
              loadingText="Отправляем…"
              disabledReason={isOnline ? null : 'Нет сети'}
              onClick={onOrderRest}
            >
              Повторить
            </Button>
          }
        >
          {nb(describeError(refusal.error, 'Попробуйте ещё раз'))}
        </Notice>
      )}
      <ul className="border-t border-line">
        {packs.map((pack) => (
          <li key={pack.id} className="border-b border-line py-3">
            <PackRow
              pack={pack}
              wayBack={wayBack}
              isRepeating={ordering.isPending && ordering.replacedId === pack.id}
              onRepeat={onRepeat(pack)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface PackRowProps extends Pick<PackListProps, 'wayBack'> {
  pack: Pack;
  isRepeating: boolean;
  onRepeat: (() => void) | null;
}

function PackRow(props: PackRowProps) {
  const { pack } = props;
  const { marketplace, status, createdAt, done, total } = pack;
  const name = MARKETPLACE_NAMES[marketplace];
  return (
    <article className="flex flex-wrap items-center gap-x-4 gap-y-2" aria-label={name}>
      <div className="flex-1 basis-48 min-w-0">
        <h3 className="font-semibold">
          {name}
          <span className="num font-normal text-muted"> — {formatRecentDate(createdAt)}</span>
        </h3>
        {status === 'making' && (
          <>
            <p className="num text-sm">{nb(`Собираем: ${done} из ${total}`)}</p>
            <StitchProgress value={total === 0 ? 0 : done / total} label={`Собираем: ${name}`} className="mt-2" />
          </>
        )}
        {status === 'ready' && <ReadyFacts pack={pack} />}
        {status === 'failed' && (
          <p className="text-sm text-danger flex gap-2 mt-1">
            <OctagonAlert className="ic ic-s mt-0.5 flex-none" />
            {nb(pack.failure ?? 'Пакет не собрался')}
          </p>
        )}
      </div>
      <Commands {...props} name={name} />
    </article>
  );
}

/** How large it is, what is in it, and how long it is kept. */
function ReadyFacts({ pack: { bytes, total, extra, expiresAt } }: { pack: Pack }) {
  const apart = extra > 0 ? `, ${extra} в «${EXTRA_FOLDER}»` : '';
  return (
    <p className="num text-sm">
      {nb(`${bytes === null ? '' : `${formatBytes(bytes)} · `}${countFiles(total)}${apart}`)}
      {expiresAt !== null && <span className="block text-muted">{nb(`Хранится до ${formatLongDate(expiresAt)}`)}</span>}
    </p>
  );
}

/** What can be done with a pack. The first press on «Удалить» asks, the second one deletes. */
function Commands({ pack: { id, status }, name, wayBack, isRepeating, onRepeat }: PackRowProps & { name: string }) {
  const [question, setQuestion] = useState<'none' | 'asked' | 'taken_back'>('none');
  const deletion = useDeletePack();
  const offline = useOnline() ? null : 'Нет сети';
  if (question === 'asked') {
    return (
      <div className="flex gap-1">
        <Button
          variant="quiet"
          size="sm"
          autoFocus
          disabled={deletion.isPending}
          onClick={() => setQuestion('taken_back')}
        >
          Оставить
        </Button>
        <Button
          size="sm"
          className="!bg-danger !text-canvas"
          loading={deletion.isPending}
          loadingText="Удаляем…"
          disabledReason={offline}
          aria-label={`Удалить пакет: ${name}`}
          onClick={() =>
            deletion.mutate(id, {
              onError: (error) => toastFailure('Не удалось удалить пакет', error, 'Попробуйте ещё раз'),
            })
          }
        >
          Удалить пакет
        </Button>
      </div>
    );
  }
  return (
    <div className="flex gap-1">
      {status === 'ready' && (
        <DownloadButton
          variant="second"
          size="sm"
          target={{ kind: 'pack', packId: id, wayBack, pictureUrl: null }}
          aria-label={`Скачать: ${name}`}
          disabledReason={offline}
        >
          Скачать
        </DownloadButton>
      )}
      {status === 'failed' && onRepeat && (
        <Button
          variant="second"
          size="sm"
          icon={<RotateCcw className="ic ic-s" />}
          loading={isRepeating}
          loadingText="Отправляем…"
          disabledReason={offline}
          aria-label={`Собрать ещё раз: ${name}`}
          onClick={onRepeat}
        >
          Собрать ещё раз
        </Button>
      )}
      <IconButton label={`Удалить: ${name}`} autoFocus={question === 'taken_back'} onClick={() => setQuestion('asked')}>
        <Trash2 className="ic" />
      </IconButton>
    </div>
  );
}
