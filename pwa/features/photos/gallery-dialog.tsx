import { Images } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { EmptyState } from '#pwa/components/empty-state.tsx';
import { nb } from '#pwa/lib/format.ts';

export interface GalleryDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Choosing a photo among the saved results. */
export function GalleryDialog({ open, onOpenChange }: GalleryDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Выбрать из галереи"
      footer={
        <>
          <Button variant="second" onClick={() => onOpenChange(false)}>
            Отмена
          </Button>
          <Button disabledReason="Сначала выберите фото">Выбрать</Button>
        </>
      }
    >
      <EmptyState
        picture={<Images className="ic ic-l" />}
        title="Галерея пуста"
        text={nb('Здесь появятся фото, созданные сменой модели и фотосессией')}
      />
    </Dialog>
  );
}
