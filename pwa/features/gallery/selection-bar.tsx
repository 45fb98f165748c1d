import { FolderDown } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { nb } from '#pwa/lib/format.ts';
import { ARCHIVE_MAX_FILES } from '#shared/contract/gallery.ts';

export interface SelectionBarProps {
  count: number;
  onDownload: () => void;
  onCancel: () => void;
}

/** Stays in sight while results are being selected. */
export function SelectionBar({ count, onDownload, onCancel }: SelectionBarProps) {
  return (
    <section
      className="panel sticky z-20 mt-6 p-3 md:px-5 flex flex-wrap items-center gap-x-4 gap-y-2 bottom-[calc(var(--tabbar-h)+var(--safe-b)+12px+var(--cookie-clear,0px))] lg:bottom-[calc(16px+var(--cookie-clear,0px))] !shadow-[0_0_0_1px_var(--color-line),var(--shadow-pop)]"
      aria-label="Выбранное"
    >
      <p className="num font-semibold min-w-fit max-md:flex-1" role="status">
        {count === 0 ? nb(`Выберите до ${ARCHIVE_MAX_FILES} файлов`) : nb(`Выбрано ${count} из ${ARCHIVE_MAX_FILES}`)}
      </p>
      <Button variant="quiet" size="sm" onClick={onCancel}>
        Отмена
      </Button>
      <Button
        size="sm"
        className="max-md:w-full"
        icon={<FolderDown className="ic ic-s" />}
        disabled={count === 0}
        onClick={onDownload}
      >
        Скачать ZIP
      </Button>
    </section>
  );
}
