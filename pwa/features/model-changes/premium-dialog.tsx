import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { UnlockButton, UnlockOffer } from '#pwa/features/generations/unlock-offer.tsx';
import { nb } from '#pwa/format.ts';

export interface PremiumDialogProps {
  title: string;
  /** Why it was refused; null closes the dialog. */
  reason: string | null;
  onClose: () => void;
}

/** Says why something is only for paid accounts, and how to become one. */
export function PremiumDialog({ title, reason, onClose }: PremiumDialogProps) {
  return (
    <Dialog
      open={reason !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      description={nb(`${reason ?? ''}.`)}
      size="sm"
      footer={
        <>
          <Button variant="quiet" size="lg" onClick={onClose}>
            Закрыть
          </Button>
          <UnlockButton source="premium" />
        </>
      }
    >
      <UnlockOffer />
    </Dialog>
  );
}
