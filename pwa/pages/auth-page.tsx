import { Check } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import art from '#pwa/assets/art/auth.svg';
import { Tabs } from '#pwa/components/tabs.tsx';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import { type AccountFormProps, LoginForm } from '#pwa/features/account/login-form.tsx';
import { RegisterForm } from '#pwa/features/account/register-form.tsx';
import { useChange, useFrameSort } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import { CHANGE_NAMES, countFrames } from '#shared/rules/tool-abilities.ts';

type Tab = 'login' | 'register';

const FREE_GENERATIONS = '2 бесплатные генерации после регистрации: 2 звезды в подарок';

/** Sign-in and registration, beside a text about the service. The chosen tab is part of the address. */
export default function AuthPage() {
  const [query, setQuery] = useSearchParams();
  const [email, setEmail] = useState('');
  const tab: Tab = query.get('tab') === 'register' ? 'register' : 'login';
  const openTab = (next: Tab) =>
    setQuery(
      (current) => {
        if (next === 'login') current.delete('tab');
        else current.set('tab', next);
        return current;
      },
      { replace: true, state: KEEP_SCROLL },
    );
  return (
    <div className="for-visitors lg:grid grid-cols-2">
      <div className="lg:min-h-[calc(100dvh-var(--header-h))] flex lg:items-center justify-center px-5 py-8">
        <div className="w-full max-w-[400px]">
          <noscript>
            <p className="sec mb-6">
              {nb('Для входа и регистрации нужен JavaScript: включите его в настройках браузера и обновите страницу.')}
            </p>
          </noscript>
          <Tabs
            value={tab}
            onChange={openTab}
            label="Вход или регистрация"
            tabs={[
              {
                value: 'login',
                label: 'Вход',
                content: <Login email={email} onEmailChange={setEmail} onRegister={() => openTab('register')} />,
              },
              {
                value: 'register',
                label: 'Регистрация',
                content: <Registration email={email} onEmailChange={setEmail} onSignIn={() => openTab('login')} />,
              },
            ]}
          />
          <div className="lg:hidden mt-8 pic">
            <img src={art} alt="" className="w-full h-[150px] object-cover object-[50%_24%]" />
            <div className="absolute inset-0 flex items-end p-4 text-on-plate auth-shade-left">
              <div>
                <p className="display text-xl max-w-[14ch]">{nb('Показ начинается с одного фото')}</p>
                <p className="mt-1 text-sm">{nb(FREE_GENERATIONS)}</p>
              </div>
            </div>
          </div>
        </div>
      </div>
      <AboutService />
    </div>
  );
}

function Login({ onRegister, ...address }: AccountFormProps & { onRegister: () => void }) {
  return (
    <>
      <h1 className="ptitle mt-7 mb-6">Вход в систему</h1>
      <LoginForm {...address} />
      <p className="mt-6 text-sm text-muted">
        Нет аккаунта?{' '}
        <button type="button" className="link text-ink" onClick={onRegister}>
          Зарегистрируйтесь
        </button>
        {nb(', и первые 2 генерации будут бесплатными: 2 звезды в подарок.')}
      </p>
    </>
  );
}

function Registration({ onSignIn, ...address }: AccountFormProps & { onSignIn: () => void }) {
  return (
    <>
      <h1 className="ptitle mt-7 mb-6">Регистрация</h1>
      <RegisterForm {...address} onSignIn={onSignIn} />
      <p className="mt-6 text-sm text-muted">
        {nb('На почту придёт код из 6 символов. После подтверждения вы получите 2 звезды в подарок.')}
      </p>
    </>
  );
}

/** Shown beside the form on wide screens. */
function AboutService() {
  const change = useChange();
  const frameSort = useFrameSort();
  return (
    <aside className="relative overflow-hidden text-on-plate max-lg:hidden" aria-label="О сервисе">
      <div className="sticky top-[var(--header-h)] h-[calc(100dvh-var(--header-h))]">
        <img src={art} alt="" className="absolute inset-0 w-full h-full object-cover" />
        <div className="absolute inset-0 auth-shade" />
        <div className="absolute left-12 right-12 bottom-12">
          <h2 className="display text-d3 max-w-[12ch]">{nb('Показ начинается с одного фото')}</h2>
          <ul className="mt-6 grid gap-3 text-lg">
            {[
              FREE_GENERATIONS,
              `Видео, ${CHANGE_NAMES[change].toLowerCase()} и ${countFrames(frameSort)} по одному фото`,
              'Все результаты хранятся в галерее',
            ].map((text) => (
              <li key={text} className="flex gap-3 items-start">
                <Check className="ic mt-[3px]" />
                {nb(text)}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </aside>
  );
}
