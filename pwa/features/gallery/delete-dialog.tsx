import { Trash2 } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { countResults, nb } from '#pwa/format.ts';
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
  items: readonly GalleryItem[] | null;
  onClose: () => void;
  onConfirm: (items: readonly GalleryItem[]) => void;
}

export function DeleteDialog({ items, onClose, onConfirm }: DeleteDialogProps) {
  return (
    <ConfirmDeletion
      title={items && askToDelete(items)}
      description={items && nb(`${describeItems(items)} из галереи. ${WAY_BACK}`)}
      action="Удалить"
      onClose={onClose}
      onConfirm={() => items && onConfirm(items)}
    />
  );
}

const WAY_BACK = `Вернуть можно в течение ${DELETED_KEPT_DAYS} дней из раздела «${RECENTLY_DELETED}».`;

function askToDelete(items: readonly GalleryItem[]): string {
  const [only, another] = items;
  return only && !another ? DELETE_TEXTS[only.kind].question : nb(`Удалить ${countResults(items.length)}?`);
}

function describeItems(items: readonly GalleryItem[]): string {
  const [only, another] = items;
  return only && !another ? `«${only.title}» исчезнет` : 'Они исчезнут';
}
