import { Trash2 } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { nb } from '#pwa/format.ts';
import { RECENTLY_DELETED } from '#pwa/messages.ts';
import { DELETED_KEPT_DAYS } from '#shared/rules/retention.ts';
import type { GalleryItem } from './gallery-item.ts';
import { DELETE_TEXTS } from './gallery-texts.ts';

export interface ConfirmDeletionProps {
  /** Null closes the dialog. */
  title: string | null;
  description: string | null;
  action: string;
  onClose: () => void;
  onConfirm: () => void;
}

export function ConfirmDeletion({ title, description, action, onClose, onConfirm }: ConfirmDeletionProps) {
  return (
    <Dialog
      open={title !== null}
      onOpenChange={onClose}
      title={title ?? ''}
      description={description}
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
              onConfirm();
            }}
          >
            {action}
          </Button>
        </>
      }
    />
  );
}

export interface DeleteDialogProps {
  /** Null closes the dialog. */
  item: GalleryItem | null;
  onClose: () => void;
  onConfirm: (item: GalleryItem) => void;
}

export function DeleteDialog({ item, onClose, onConfirm }: DeleteDialogProps) {
  return (
    <ConfirmDeletion
      title={item && DELETE_TEXTS[item.kind].question}
      description={
        item &&
        nb(
          `«${item.title}» исчезнет из галереи. Вернуть можно в течение ${DELETED_KEPT_DAYS} дней из раздела «${RECENTLY_DELETED}».`,
        )
      }
      action="Удалить"
      onClose={onClose}
      onConfirm={() => item && onConfirm(item)}
    />
  );
}
