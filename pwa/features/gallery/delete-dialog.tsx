import { Trash2 } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { nb } from '#pwa/lib/format.ts';
import { DELETED_KEPT_DAYS } from '#shared/rules/retention.ts';
import type { GalleryItem } from './gallery-item.ts';
import { DELETE_TEXTS } from './gallery-texts.ts';

export interface DeleteDialogProps {
  /** Null closes the dialog. */
  item: GalleryItem | null;
  onClose: () => void;
  onConfirm: (item: GalleryItem) => void;
}

/** Asks for confirmation before a result is deleted. */
export function DeleteDialog({ item, onClose, onConfirm }: DeleteDialogProps) {
  return (
    <Dialog
      open={item !== null}
      onOpenChange={onClose}
      title={DELETE_TEXTS[item?.kind ?? 'image'].question}
      description={
        item && nb(`«${item.title}» исчезнет из галереи. Вернуть можно в течение ${DELETED_KEPT_DAYS} дней.`)
      }
      size="sm"
      footer={
        <>
          <Button variant="second" onClick={onClose}>
            Отмена
          </Button>
          <Button
            className="!bg-danger !text-canvas"
            icon={<Trash2 className="ic" />}
            onClick={() => {
              onClose();
              if (item) onConfirm(item);
            }}
          >
            Удалить
          </Button>
        </>
      }
    />
  );
}
