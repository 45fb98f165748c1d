import { ArrowRight } from 'lucide-react';
import backdrop from '#pwa/assets/art/hero2-bg.svg';
import backdropPhone from '#pwa/assets/art/hero2-bg-p.svg';
import figure from '#pwa/assets/art/hero2-fig.svg';
import figurePhone from '#pwa/assets/art/hero2-fig-p.svg';
import { ButtonLink } from '#pwa/components/button.tsx';
import { nb } from '#pwa/lib/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';

/** The first thing a visitor sees. */
export default function LandingPage() {
  return (
    <section className="relative h-[calc(100svh-var(--header-h))] min-h-[600px] max-h-[900px] overflow-hidden text-on-plate">
      <picture>
        <source media="(min-width: 768px)" srcSet={backdrop} />
        <img src={backdropPhone} alt="" className="absolute inset-0 w-full h-full object-cover" />
      </picture>
      <h1 className="display absolute left-5 md:left-[6vw] top-8 md:top-[9%] text-[clamp(2.75rem,14vw,3.5rem)] md:text-d1 leading-[.94]">
        Ваш&nbsp;товар
        <br />
        <span className="md:pl-[.55em]">выходит</span>
        <br />
        на&nbsp;подиум
      </h1>
      <picture>
        <source media="(min-width: 768px)" srcSet={figure} />
        <img src={figurePhone} alt="" className="absolute inset-0 w-full h-full object-cover" />
      </picture>
      <div className="hero-fade absolute inset-x-0 bottom-0 h-[360px] md:hidden" />
      <div className="absolute left-5 right-5 md:right-auto md:left-[6vw] bottom-7 md:bottom-[10%] md:w-[430px]">
        <p className="text-lg mb-5 md:mb-7">
          {nb('Загрузите фото вещи и получите короткое видео с показа для карточки товара.')}
        </p>
        <ButtonLink to={`${PATHS.auth}?tab=register`} variant="plate" size="lg" className="max-md:w-full">
          {nb('Создать первое видео')}
          <ArrowRight className="ic" />
        </ButtonLink>
        <p className="mt-3 text-sm max-md:text-center">
          {nb(`${countStars(SIGNUP_BONUS_STARS)} в подарок после регистрации`)}
        </p>
      </div>
    </section>
  );
}
