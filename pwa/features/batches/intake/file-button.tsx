import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { compareInFolders } from '#pwa/features/photos/dropped-folders.ts';

interface FileButtonProps {
  icon?: ReactNode;
  accept?: string;
  isFolder?: boolean;
  disabled?: boolean;
  onFiles: (files: readonly File[]) => Promise<unknown>;
  children: ReactNode;
}

/** A button that opens the chooser of files, or of a folder where the browser has one. */
export function FileButton({ icon, accept, isFolder = false, disabled, onFiles, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const [canChoose, setCanChoose] = useState(!isFolder);
  useEffect(() => {
    if (!isFolder || !input.current) return;
    // React does not know the attribute. Phones mostly lack it.
    input.current.setAttribute('webkitdirectory', '');
    setCanChoose('webkitdirectory' in input.current);
  }, [isFolder]);
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])];
    // Browsers tell the files of a folder as they lie on the disk. The first photo of an article becomes the main one.
    if (isFolder) files.sort(compareInFolders);
    // The same files may be chosen again.
    currentTarget.value = '';
    if (files.length > 0) void onFiles(files);
  };
  return (
    <>
      <input ref={input} type="file" hidden multiple accept={accept} onChange={take} />
      {canChoose && (
        <Button variant="second" size="sm" icon={icon} disabled={disabled} onClick={() => input.current?.click()}>
          {children}
        </Button>
      )}
    </>
  );
}
