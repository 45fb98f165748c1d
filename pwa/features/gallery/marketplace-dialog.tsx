import { Wrench } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { buildWayBack } from '#pwa/features/generations/wanted-download.ts';
import { formatBytes, formatDate, nb } from '#pwa/format.ts';
import {
  type ExportFix,
  judgeForMarketplaces,
  MARKETPLACE_NAMES,
  MARKETPLACE_RULES_DATE,
} from '#shared/rules/marketplaces.ts';
import { type GalleryItem, toTarget } from './gallery-item.ts';
import { FIX_LABELS, readVerdict, VERDICT_TEXTS } from './marketplace-verdict.ts';
import { VERDICT_LOOK } from './marketplace-verdicts.tsx';

export interface MarketplaceDialogProps {
  /** Null closes the dialog. */
  item: GalleryItem | null;
  onClose: () => void;
  /** Converts the file and saves it. */
  onFix: (item: GalleryItem, fix: ExportFix) => void;
  fixing: ExportFix | null;
}

/** Shows how the file meets the requirements of each marketplace, and what one tap can fix. */
export function MarketplaceDialog({ item, onClose, onFix, fixing }: MarketplaceDialogProps) {
  const judgements = item ? judgeForMarketplaces(item.file) : [];
  return (
    <Dialog
      open={item !== null}
      onOpenChange={onClose}
      title="Для маркетплейсов"
      description={item && describeFile(item)}
      footer={
        <>
          <Button variant="second" onClick={onClose}>
            Закрыть
          </Button>
          {item?.file.hasWatermark && (
            <BuyStarsButton source="marketplaces" findWayBack={() => buildWayBack(toTarget(item), null)} />
          )}
        </>
      }
    >
      <ul className="border-t border-line">
        {item &&
          judgements.map((judgement) => {
            const verdict = readVerdict(judgement, item.file);
            const { Icon, color } = VERDICT_LOOK[verdict];
            const { fix } = judgement;
            return (
              <li key={judgement.marketplace} className="flex gap-3 py-3 border-b border-line">
                <Icon className={`ic mt-0.5 ${color}`} />
                <div className="min-w-0 flex-1 text-sm">
                  <p className="font-semibold text-base">
                    {MARKETPLACE_NAMES[judgement.marketplace]}
                    <span className="font-normal text-muted"> — {VERDICT_TEXTS[verdict]}</span>
                  </p>
                  {judgement.complaints.map((complaint) => (
                    <p key={complaint}>{nb(complaint)}</p>
                  ))}
                  {verdict !== 'unknown' && judgement.unknown.length > 0 && (
                    <p className="text-muted">{nb(`Площадка не сообщает: ${judgement.unknown.join(', ')}`)}</p>
                  )}
                  {fix && (
                    <Button
                      variant="second"
                      size="sm"
                      className="mt-2"
                      icon={<Wrench className="ic ic-s" />}
                      loading={fixing === fix}
                      loadingText="Готовим файл…"
                      disabled={fixing !== null}
                      onClick={() => onFix(item, fix)}
                    >
                      {FIX_LABELS[fix]}
                    </Button>
                  )}
                </div>
              </li>
            );
          })}
      </ul>
      <p className="text-xs text-muted mt-3">{nb(`По правилам площадок на ${formatDate(MARKETPLACE_RULES_DATE)}.`)}</p>
    </Dialog>
  );
}

function describeFile({ title, file }: GalleryItem): string {
  return `${title}: ${file.width}×${file.height}, ${formatBytes(file.bytes)}`;
}
