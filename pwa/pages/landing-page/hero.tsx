import { ArrowRight, Pause, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import backdrop1 from '#pwa/assets/art/hero1-bg.svg';
import backdrop1Phone from '#pwa/assets/art/hero1-bg-p.svg';
import figure1 from '#pwa/assets/art/hero1-fig.svg';
import figure1Phone from '#pwa/assets/art/hero1-fig-p.svg';
import backdrop2 from '#pwa/assets/art/hero2-bg.svg';
import backdrop2Phone from '#pwa/assets/art/hero2-bg-p.svg';
import figure2 from '#pwa/assets/art/hero2-fig.svg';
import figure2Phone from '#pwa/assets/art/hero2-fig-p.svg';
import { ButtonLink } from '#pwa/components/button.tsx';
import { useMediaQuery } from '#pwa/device/use-media-query.ts';
import { usePageVisible } from '#pwa/device/use-page-visible.ts';
import { useChange, useFrameSort } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
import { countFrames } from '#shared/rules/tool-abilities.ts';

const ROTATION_MS = 8000;
/** The second picture is loaded well after the first paint and before its turn. */
const SECOND_PICTURE_AFTER_MS = 4000;
const SLIDES = [
  { backdrop: backdrop1, backdropPhone: backdrop1Phone, figure: figure1, figurePhone: figure1Phone },
  { backdrop: backdrop2, backdropPhone: backdrop2Phone, figure: figure2, figurePhone: figure2Phone },
];

/**
 * Two pictures in turn. They pause while the keyboard focus is inside, when the person pauses them, and with reduced
 * motion.
 */
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
      // Only keyboard focus counts: a button pressed with a pointer is focused too.
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

/** The offer and the button that leads to it. */
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
  /** Shows one picture, at the person's choice. */
  show: (index: number) => void;
}

/** Moves to the next of `count` items every `intervalMs` while it is running. A manual choice restarts the interval. */
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
