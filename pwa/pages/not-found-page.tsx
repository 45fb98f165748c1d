import { MessageCircle } from 'lucide-react';
import art from '#pwa/assets/art/empty-runway.svg';
import { ButtonLink, buttonClass } from '#pwa/components/button.tsx';
import { nb } from '#pwa/format.ts';
import { HELP_LABEL } from '#pwa/messages.ts';
import { HELP_PATH, PATHS } from '#shared/rules/app-paths.ts';

export default function NotFoundPage() {
  return (
    <div className="min-h-[calc(100dvh-var(--header-h))] grid md:grid-cols-2 items-center">
      <div className="px-5 md:pl-[6vw] py-10">
        <h1 className="display text-d2" lang="en">
          404 Page Not Found
        </h1>
        <p className="text-lg text-muted mt-4" lang="en">
          Did you forget to add the page to the router?
        </p>
        <p className="text-lg mt-6 max-w-[36ch]">
          {nb('Этого выхода нет в программе показа. Проверьте адрес или вернитесь к началу.')}
        </p>
        <div className="grid sm:flex gap-2 mt-7">
          <ButtonLink size="lg" to={PATHS.landing}>
            На главную
          </ButtonLink>
          <a className={buttonClass({ variant: 'second', size: 'lg' })} href={HELP_PATH} target="_blank" rel="noopener">
            <MessageCircle className="ic" />
            {HELP_LABEL}
          </a>
        </div>
      </div>
      <div className="relative h-full min-h-[420px]">
        <img src={art} alt="" className="absolute inset-0 w-full h-full object-cover" />
      </div>
    </div>
  );
}
