import { FileArchive, FolderOpen, Images, ImageUp, Inbox, Table } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { nb } from '#pwa/format.ts';
import { PHOTO_ACCEPTED_TYPES } from '#shared/rules/photo-requirements.ts';
import { FileButton } from './file-button.tsx';
import { useSharedFiles } from './use-shared-files.ts';
import { useTakeInOfPage } from './use-take-in.ts';

const OwnPhotosDialog = lazy(async () => ({ default: (await import('./own-photos-dialog.tsx')).OwnPhotosDialog }));
const TableDialog = lazy(async () => ({ default: (await import('./table-dialog.tsx')).TableDialog }));

/** The ways into a batch: files, a folder, photos of the account, an archive, a table. */
export function IntakeActions({ disabled = false }: { disabled?: boolean }) {
  const { takeIn, intake } = useTakeInOfPage();
  const shared = useSharedFiles();
  const [isChoosing, setIsChoosing] = useState(false);
  const [isTableOpen, setIsTableOpen] = useState(false);
  return (
    <div className="flex flex-wrap gap-2">
      <FileButton
        icon={<ImageUp className="ic ic-s" />}
        accept={`${PHOTO_ACCEPTED_TYPES},.zip,.csv`}
        disabled={disabled}
        onFiles={takeIn}
      >
        Выбрать файлы
      </FileButton>
      <FileButton icon={<FolderOpen className="ic ic-s" />} isFolder disabled={disabled} onFiles={takeIn}>
        Папка
      </FileButton>
      <Button
        variant="second"
        size="sm"
        icon={<Images className="ic ic-s" />}
        disabled={disabled}
        onClick={() => setIsChoosing(true)}
      >
        Мои фото
      </Button>
      <FileButton
        icon={<FileArchive className="ic ic-s" />}
        accept=".zip,application/zip"
        disabled={disabled}
        onFiles={takeIn}
      >
        ZIP
      </FileButton>
      <Button
        variant="second"
        size="sm"
        icon={<Table className="ic ic-s" />}
        disabled={disabled}
        onClick={() => setIsTableOpen(true)}
      >
        CSV
      </Button>
      {shared.count > 0 && (
        <Button
          variant="second"
          size="sm"
          icon={<Inbox className="ic ic-s" />}
          disabled={disabled}
          onClick={() => void shared.take(takeIn)}
        >
          {nb(`Присланные фото: ${shared.count}`)}
        </Button>
      )}
      <Suspense>
        {isChoosing && <OwnPhotosDialog onClose={() => setIsChoosing(false)} onChosen={intake.addPhotos} />}
        {isTableOpen && <TableDialog onClose={() => setIsTableOpen(false)} onFiles={takeIn} />}
      </Suspense>
    </div>
  );
}
