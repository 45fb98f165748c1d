import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { isRefusedFor } from '#pwa/client/api-error.ts';
import { premiumStatusQuery } from '#pwa/client/premium-status-query.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { useFocusOnChange } from '#pwa/device/use-focus-on-change.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { DownloadDialog } from '#pwa/features/downloads/download-dialog.tsx';
import type { DownloadTarget } from '#pwa/features/downloads/download-file.ts';
import type { Pack, PackSubject } from '#shared/contract/packs.ts';
import { PackForm } from './pack-form.tsx';
import { PackList } from './pack-list.tsx';
import { packsQuery, useOrderPacks } from './pack-queries.ts';
import { describeOrder } from './pack-texts.ts';
import { buildPacksWayBack } from './packs-way-back.ts';
import { usePackForm } from './use-pack-form.ts';

export interface PackDialogProps {
  subject: PackSubject;
  /** What the packs are made of, as a person calls it. */
  title: string;
  onClose: () => void;
  /** Opens the review of a batch, where it is decided what is taken. */
  onReview?: () => void;
}

/**
 * Orders packs for marketplaces, and shows those that were made of the same before: their progress, their download.
 * Rendered only while it is open.
 */
export function PackDialog({ subject, title, onClose, onReview }: PackDialogProps) {
  const formId = useId();
  const area = useRef<HTMLDivElement>(null);
  const isOnline = useOnline();
  const { packs, view, setView } = usePacks(subject);
  const form = usePackForm(subject);
  const { order, send, madeIds, offer, closeOffer } = useOrder(subject, form.previews[0]?.files[0]?.thumbnailUrl);
  useFocusOnChange(area, view ?? '', view !== null);

  const { marketplaces } = form.draft;
  const outcome = order.data;
  const refusal = isRefusedFor(outcome?.refusal?.error, 'premium_required') ? null : (outcome?.refusal ?? null);
  const sendAndShow = (wanted: Parameters<typeof send>[0]) => send(wanted, () => setView('list'));
  const isKnownSubject = (pack: Pack) => !('itemIds' in subject) || madeIds.has(pack.id);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Пакеты для маркетплейсов"
      description={title}
      footer={
        view === 'list' ? (
          <>
            <Button variant="quiet" onClick={onClose}>
              Закрыть
            </Button>
            {/* Its own element: a press must not become one of the submit button that takes its place. */}
            <Button key="form" variant="second" onClick={() => setView('form')}>
              Собрать новые
            </Button>
          </>
        ) : (
          <>
            {packs.length > 0 ? (
              <Button variant="second" onClick={() => setView('list')}>
                {`Собранные: ${packs.length}`}
              </Button>
            ) : (
              <Button variant="second" onClick={onClose}>
                Закрыть
              </Button>
            )}
            <Button
              key="submit"
              type="submit"
              form={formId}
              loading={order.isPending}
              loadingText="Отправляем…"
              disabled={view === null || !form.isRead || form.isEmpty}
              disabledReason={marketplaces.length === 0 ? 'Выберите маркетплейс' : isOnline ? null : 'Нет сети'}
            >
              {describeOrder(marketplaces.length)}
            </Button>
          </>
        )
      }
    >
      <div ref={area} tabIndex={-1}>
        {view === null ? (
          <div role="status">
            <p className="sr-only">Загружаем пакеты…</p>
            <Skeleton className="h-40" />
          </div>
        ) : view === 'list' ? (
          <PackList
            packs={packs}
            wayBack={buildPacksWayBack(subject)}
            refusal={refusal}
            onOrderRest={() => refusal && sendAndShow(refusal.rest)}
            ordering={{ isPending: order.isPending, replacedId: order.variables?.replacedId }}
            onRepeat={(pack) =>
              isKnownSubject(pack)
                ? () => sendAndShow({ marketplaces: [pack.marketplace], template: pack.template, replacedId: pack.id })
                : null
            }
          />
        ) : (
          <PackForm
            id={formId}
            form={form}
            refusal={outcome?.made.length === 0 ? (refusal?.error ?? null) : null}
            onReview={onReview}
            onSubmit={() => sendAndShow(form.draft)}
          />
        )}
      </div>
      {offer && <DownloadDialog target={offer} onClose={closeOffer} />}
    </Dialog>
  );
}

/** The packs of a subject, and whether they or the form are shown. Null while they are fetched. */
function usePacks(subject: PackSubject) {
  const list = useQuery(packsQuery);
  const packs = list.data?.packs.filter((pack) => isOf(pack, subject)) ?? [];
  const [chosen, setView] = useState<'form' | 'list' | null>(null);
  // What comes later takes no form away. A choice of results is new each time, so packs of others come second.
  if (chosen === null && !list.isPending) setView(packs.length > 0 && !('itemIds' in subject) ? 'list' : 'form');
  return { packs, view: chosen === 'list' && packs.length === 0 ? 'form' : chosen, setView };
}

/** Whether a pack was made of this. Of chosen results only that they were chosen is known. */
function isOf({ batchId, productId }: Pack, subject: PackSubject): boolean {
  if ('batchId' in subject) return batchId === subject.batchId;
  if ('productId' in subject) return productId === subject.productId;
  return batchId === null && productId === null;
}

/** Ordering, and the offer for who has never paid. `pictureUrl`: of something that the pack would hold. */
function useOrder(subject: PackSubject, pictureUrl: string | undefined) {
  const queryClient = useQueryClient();
  const order = useOrderPacks(subject);
  const [madeIds, setMadeIds] = useState<ReadonlySet<string>>(new Set());
  const [offer, setOffer] = useState<DownloadTarget | null>(null);
  const isPaid = useQuery(premiumStatusQuery).data?.hasSuccessfulTransactions;
  const send = (wanted: Parameters<typeof order.mutate>[0], onMade: () => void) =>
    order.mutate(wanted, {
      onSuccess: ({ made, refusal }) => {
        setMadeIds((known) => new Set([...known, ...made.map(({ id }) => id)]));
        if (made.length > 0) onMade();
        if (!isRefusedFor(refusal?.error, 'premium_required') || !refusal) return;
        void queryClient.invalidateQueries({ queryKey: premiumStatusQuery.queryKey });
        setOffer({
          kind: 'pack',
          packId: refusal.packId,
          wayBack: buildPacksWayBack(subject),
          pictureUrl: pictureUrl ?? null,
        });
      },
    });
  // Who has paid meanwhile orders again.
  return { order, send, madeIds, offer: isPaid ? null : offer, closeOffer: () => setOffer(null) };
}
