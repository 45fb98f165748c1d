import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';

/** Topping up the balance. No payment provider is connected yet, and the dialog says so. */
export function BuyStarsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title="Пополнить звезды"
      size="sm"
      footer={
        <Button variant="second" onClick={onClose}>
          Закрыть
        </Button>
      }
    >
      <p>Покупка звёзд ещё не подключена на этом сервере. Две звезды приходят в подарок после подтверждения email.</p>
    </Dialog>
  );
}
