import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import type { NamedItem } from './name-preview.ts';
import { RenameDialog } from './rename-dialog.tsx';

/** Opens the dialog that names one result. */
export function RenameButton({ item }: { item: NamedItem }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        className="text-muted"
        icon={<Pencil className="ic ic-s" />}
        onClick={() => setIsOpen(true)}
      >
        Переименовать
      </Button>
      {isOpen && <RenameDialog items={[item]} onClose={() => setIsOpen(false)} />}
    </>
  );
}
