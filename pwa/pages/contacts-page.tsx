import { Mail, MessageCircle } from 'lucide-react';
import { Link } from 'react-router-dom';
import { buttonClass } from '#pwa/components/button.tsx';
import { OperatorGate } from '#pwa/features/documents/operator-gate.tsx';
import { SampleOperatorNotice } from '#pwa/features/documents/sample-operator-notice.tsx';
import { nb } from '#pwa/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** How to contact the operator. */
export default function ContactsPage() {
  return (
    <div className="max-w-[760px] mx-auto px-5 py-8 md:py-12">
      <h1 className="ptitle">Контакты</h1>
      <p className="text-lg text-muted mt-3 mb-6">
        {nb('Напишите нам, если что-то не получается, нужен возврат или есть вопрос о данных.')}
      </p>
      <OperatorGate>
        {({ email, messengerUrl, isSample }) => (
          <div className="grid gap-4">
            {isSample && <SampleOperatorNotice />}
            <div className="grid sm:grid-cols-2 gap-3">
              <section className="panel p-4 md:p-5 grid gap-1 content-start">
                <Mail className="ic text-muted" />
                <h2 className="sec mt-2">Электронная почта</h2>
                <p className="text-sm text-muted">{nb('Пишите с адреса, на который зарегистрирован аккаунт.')}</p>
                <a className="link text-lg py-2.5 w-fit [overflow-wrap:anywhere]" href={`mailto:${email}`}>
                  {email}
                </a>
              </section>
              <section className="panel p-4 md:p-5 grid gap-1 content-start">
                <MessageCircle className="ic text-muted" />
                <h2 className="sec mt-2">Мессенджер</h2>
                <p className="text-sm text-muted">{nb('Чат поддержки откроется в новой вкладке.')}</p>
                <a
                  className={buttonClass({ variant: 'second' }, 'mt-2 w-fit')}
                  href={messengerUrl}
                  target="_blank"
                  rel="noopener"
                >
                  Открыть чат
                </a>
              </section>
            </div>
          </div>
        )}
      </OperatorGate>
      <p className="mt-6">
        <Link className="link inline-block py-2.5" to={PATHS.companyInfo}>
          {nb('Реквизиты — на странице «О компании»')}
        </Link>
      </p>
    </div>
  );
}
