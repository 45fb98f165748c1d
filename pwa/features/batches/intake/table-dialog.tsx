import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { saveFile } from '#pwa/device/save-file.ts';
import { nb } from '#pwa/format.ts';
import { TABLE_TEMPLATE } from '#shared/rules/batch-table.ts';
import { FileButton } from './file-button.tsx';

const COLUMNS = [
  ['артикул', 'получат фото и результаты этой строки'],
  ['файл', 'имя файла, можно без расширения или вместе с папкой'],
  ['набор', 'название вашего набора настроек; пусто — как у всей партии'],
  ['примечание', 'для вас, на результат не влияет'],
] as const;

export interface TableDialogProps {
  onClose: () => void;
  onFiles: (files: readonly File[]) => Promise<unknown>;
}

/** What a table says, a template of one, and the choice of the file. */
export function TableDialog({ onClose, onFiles }: TableDialogProps) {
  const take = (files: readonly File[]) => {
    onClose();
    return onFiles(files);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Таблица CSV"
      description={nb('Одна строка — одно фото. Подойдёт файл, который Excel сохранил как CSV.')}
      footer={
        <>
          <Button
            variant="second"
            onClick={() => void saveFile(new File([TABLE_TEMPLATE], 'podium-tablica.csv', { type: 'text/csv' }))}
          >
            Скачать образец
          </Button>
          <FileButton accept=".csv,.tsv,text/csv" onFiles={take}>
            Выбрать таблицу
          </FileButton>
        </>
      }
    >
      <dl className="grid gap-2 text-sm">
        {COLUMNS.map(([name, meaning]) => (
          <div key={name}>
            <dt className="inline font-semibold">{name}</dt>
            <dd className="inline text-muted">{nb(` — ${meaning}`)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted mt-3">
        {nb('Фото выберите вместе с таблицей, до неё или после. Строка без файла попадёт в партию с объяснением.')}
      </p>
    </Dialog>
  );
}
