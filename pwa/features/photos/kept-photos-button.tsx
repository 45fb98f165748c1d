import { lazy, Suspense, useState } from 'react';
import { Button, type ButtonProps } from '#pwa/components/button.tsx';

const KeptPhotosDialog = lazy(async () => ({ default: (await import('./kept-photos-dialog.tsx')).KeptPhotosDialog }));

/** Opens the list of uploaded photos, where some can be deleted. */
export function KeptPhotosButton(props: Omit<ButtonProps, 'onClick'>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="second" {...props} onClick={() => setIsOpen(true)} />
      <Suspense>{isOpen && <KeptPhotosDialog open onOpenChange={setIsOpen} />}</Suspense>
    </>
  );
}
