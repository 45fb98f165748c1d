import { ArrowRight, Pause, Play } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import backdrop1 from '#pwa/assets/art/hero1-bg.svg';
import backdrop1Phone from '#pwa/assets/art/hero1-bg-p.svg';
import figure1 from '#pwa/assets/art/hero1-fig.svg';
import figure1Phone from '#pwa/assets/art/hero1-fig-p.svg';
import backdrop2 from '#pwa/assets/art/hero2-bg.svg';
import backdrop2Phone from '#pwa/assets/art/hero2-bg-p.svg';
import figure2 from '#pwa/assets/art/hero2-fig.svg';
import figure2Phone from '#pwa/assets/art/hero2-fig-p.svg';
import { ButtonLink } from '#pwa/components/button.tsx';
import { nb } from '#pwa/lib/format.ts';
import { useChange, useFrameSort } from '#pwa/lib/tools.ts';
import { useMediaQuery } from '#pwa/lib/use-media-query.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
import { countFrames } from '#shared/rules/tool-abilities.ts';

const ROTATION_MS = 8000;
/** The second picture is fetched when the first page has long been there, and before its turn comes. */
const SECOND_PICTURE_AFTER_MS = 4000;
const SLIDES = [
  { backdrop: backdrop1, backdropPhone: backdrop1Phone, figure: figure1, figurePhone: figure1Phone },
  { backdrop: backdrop2, backdropPhone: backdrop2Phone, figure: figure2, figurePhone: figure2Phone },
];

/** Two pictures in turn; they rest while the keyboard's focus is inside, at will, and where motion is reduced. */
export function Hero() {
  const [hasFocus, setHasFocus] = useState(false);
  const [isPaused, setIsPaused] = useState(false);
  const [hasSecond, setHasSecond] = useState(false);
  const isVisible = usePageVisible();
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const { index, show } = useRotation(SLIDES.length, ROTATION_MS, isVisible && !(hasFocus || isPaused || isStill));
  useEffect(() => {
    const timer = setTimeout(() => setHasSecond(true), SECOND_PICTURE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const slides = hasSecond ? SLIDES : SLIDES.slice(0, 1);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus inside only makes the pictures rest.
    <section
      className="hero"
      data-slide={index + 1}
      // A button that was pressed with a pointer has the focus too, and nobody reads there.
      onFocus={(event) => setHasFocus(event.target.matches(':focus-visible'))}
      onBlur={() => setHasFocus(false)}
    >
      {slides.map(({ backdrop, backdropPhone }, slide) => (
        <HeroPicture key={backdrop} isShown={slide === index} wide={backdrop} narrow={backdropPhone} />
      ))}
      <h1 className="display hero-title">
        Ваш&nbsp;товар
        <br />
        <span className="md:pl-[.55em]">выходит</span>
        <br />
        на&nbsp;подиум
      </h1>
      {slides.map(({ figure, figurePhone }, slide) => (
        <HeroPicture key={figure} isShown={slide === index} wide={figure} narrow={figurePhone} isFigure />
      ))}
      <div className="hero-shade" />
      <Offer />
      <div className="hero-controls">
        <span className="num text-sm max-md:sr-only">
          {index + 1} / {SLIDES.length}
        </span>
        {SLIDES.map(({ backdrop }, slide) => (
          <button
            key={backdrop}
            type="button"
            className="hero-dot"
            aria-label={`Фон ${slide + 1} из ${SLIDES.length}`}
            aria-current={slide === index}
            onClick={() => {
              setHasSecond(true);
              show(slide);
            }}
          >
            <span />
          </button>
        ))}
        {!isStill && (
          <button
            type="button"
            className="hero-dot"
            aria-label={isPaused ? 'Продолжить смену фона' : 'Остановить смену фона'}
            onClick={() => setIsPaused(!isPaused)}
          >
            {isPaused ? <Play className="ic ic-s" /> : <Pause className="ic ic-s" />}
          </button>
        )}
      </div>
    </section>
  );
}

/** What one gets, and the way to it. */
function Offer() {
  const frameSort = useFrameSort();
  const novelty = useChange() === 'model_change' ? 'новую модель' : 'новый фон';
  return (
    <div className="hero-cta">
      <p className="text-lg mb-5 md:mb-7">
        {nb(`Загрузите фото вещи и получите видео с показа, ${novelty} или фотосессию из ${countFrames(frameSort)}.`)}
      </p>
      <ButtonLink to={`${PATHS.auth}?tab=register`} size="lg" className="hero-button max-md:w-full">
        {nb('Создать первое видео')}
        <ArrowRight className="ic" />
      </ButtonLink>
      <p className="hero-note mt-3 text-sm max-md:text-center">
        {nb(`2 бесплатные генерации после регистрации: ${countStars(SIGNUP_BONUS_STARS)} в подарок`)}
      </p>
    </div>
  );
}

interface HeroPictureProps {
  isShown: boolean;
  wide: string;
  narrow: string;
  isFigure?: boolean;
}

function HeroPicture({ isShown, wide, narrow, isFigure = false }: HeroPictureProps) {
  return (
    <picture className={`hero-picture ${isFigure ? 'is-figure' : ''} ${isShown ? '' : 'is-away'}`}>
      <source media="(min-width: 48rem)" srcSet={wide} />
      <img src={narrow} alt="" decoding="async" />
    </picture>
  );
}

interface Rotation {
  index: number;
  /** Chosen by hand. */
  show: (index: number) => void;
}

/** Goes on to the next of `count` things every `intervalMs` while it is running; a choice starts the time anew. */
function useRotation(count: number, intervalMs: number, isRunning: boolean): Rotation {
  const [index, setIndex] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new picture has its full time.
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setIndex((current) => (current + 1) % count), intervalMs);
    return () => clearTimeout(timer);
  }, [count, intervalMs, isRunning, index]);
  return { index, show: setIndex };
}

/** Whether the tab is in front; prerendered pages say it is. */
function usePageVisible(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    () => document.visibilityState === 'visible',
    () => true,
  );
}
