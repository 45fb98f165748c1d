import { nb } from '#pwa/format.ts';
import type { User } from '#shared/contract/account.ts';
import { PasswordChangeForm } from './password-change-form.tsx';

/**
 * Stands in place of every page while the password has to be replaced: until then the server refuses all other calls.
 */
export default function NewPassword({ user }: { user: Pick<User, 'email' | 'isAdmin'> }) {
  return (
    <section className="max-w-[440px] grid gap-4" aria-labelledby="new-password">
      <h1 id="new-password" className="ptitle">
        Задайте новый пароль
      </h1>
      <p>
        {nb(
          'Нынешний пароль напечатан командой на экране сервера, и его мог увидеть кто-то ещё, или он слишком короткий для администратора: нужно не менее 8 символов. До смены можно только выйти.',
        )}
      </p>
      <PasswordChangeForm email={user.email} isAdmin={user.isAdmin} />
    </section>
  );
}
