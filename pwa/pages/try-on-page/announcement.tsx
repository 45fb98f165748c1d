import { ArrowRight, Camera, Ruler, Shirt, UsersRound } from 'lucide-react';
import art from '#pwa/assets/art/empty-runway.svg';
import { ButtonLink } from '#pwa/components/button.tsx';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { nb } from '#pwa/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const PLANNED = [
  { Icon: Shirt, title: 'Вещь на фото покупателя', text: 'Он увидит посадку до заказа' },
  { Icon: UsersRound, title: 'Разные фигуры и рост', text: 'Одна вещь на нескольких типажах' },
  { Icon: Ruler, title: 'Подсказка по размеру', text: 'По меркам вещи и фото' },
  { Icon: Camera, title: 'Готовые кадры для карточки', text: 'В пропорции 3:4, как у остальных инструментов' },
];

/** A placeholder where the tool is not offered: what it will do, and what to use meanwhile. */
export function Announcement() {
  return (
    <>
      <HomeLink />
      <div className="grid md:grid-cols-[minmax(0,1fr)_260px] lg:grid-cols-[minmax(0,1fr)_320px] gap-8 lg:gap-14 items-start">
        <div>
          <span className="tag line">Скоро</span>
          <h1 className="ptitle mt-3">Виртуальная примерка</h1>
          <p className="text-muted mt-3 max-w-[52ch]">
            {nb(
              'Инструмент в разработке. Когда он выйдет, вещь из вашей карточки можно будет примерить на любое фото.',
            )}
          </p>
          <h2 className="sec mt-8 mb-1">Что появится</h2>
          <ul>
            {PLANNED.map(({ Icon, title, text }) => (
              <li key={title} className="flex gap-3 py-3 border-b border-line">
                <Icon className="ic mt-0.5" />
                <div>
                  <div className="font-medium">{nb(title)}</div>
                  <p className="text-sm text-muted">{nb(text)}</p>
                </div>
              </li>
            ))}
          </ul>
          <p className="text-muted mt-8">{nb('А пока вещь можно показать в движении:')}</p>
          <ButtonLink to={PATHS.createVideo} className="mt-3 max-md:w-full">
            Создать видео
            <ArrowRight className="ic" />
          </ButtonLink>
        </div>
        <img src={art} alt="" className="ph max-md:hidden" />
      </div>
    </>
  );
}
