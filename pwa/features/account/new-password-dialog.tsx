import { Dialog } from '#pwa/components/dialog.tsx';
import { nb } from '#pwa/lib/format.ts';
import { PasswordChangeForm } from './password-change-form.tsx';

/** Closes when the password has been changed: the banner that contains it then disappears. */
export default function NewPasswordDialog({ email, onClose }: { email: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      size="sm"
      title="Новый пароль"
      description={nb('Текущий — тот, что напечатала команда.')}
    >
      <PasswordChangeForm email={email} />
    </Dialog>
  );
}
