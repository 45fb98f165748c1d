import { ArrowRight, Plus } from 'lucide-react';
import curtain from '#pwa/assets/art/cta.svg';
import portrait from '#pwa/assets/art/quote.svg';
import { ButtonLink } from '#pwa/components/button.tsx';
import { TESTIMONIAL } from '#pwa/features/cases/claims.ts';
import { useChange, useOffered } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { Benefits } from './benefits.tsx';
import { Claims } from './claims.tsx';
import { useShowcase } from './landing-data.ts';
import { ModelChangeSample } from './model-change-sample.tsx';
import { ModelGallery } from './model-gallery.tsx';
import { PhotosessionSample } from './photosession-sample.tsx';
import { Prices } from './prices.tsx';
import { listQuestions } from './questions.ts';
import { VideoSample } from './video-sample.tsx';

/** All sections below the hero. */
export function LandingSections() {
  const offered = useOffered();
  return (
    <>
      <Claims />
      {offered.includes('model_change') && <ModelChangeSample />}
      {offered.includes('video') && <VideoSample />}
      {offered.includes('photosession') && <PhotosessionSample />}
      <Benefits />
      {offered.includes('model_change') && <ModelGallery />}
      <Testimonial />
      <Prices />
      <Questions />
      <section className="curtain">
        <img src={curtain} alt="" loading="lazy" />
        <div className="relative px-5 md:px-[6vw] py-24 md:py-36">
          <h2 className="display text-d2 max-w-[13ch]">{nb('Ваша вещь готова к выходу')}</h2>
          <ButtonLink to={`${PATHS.auth}?tab=register`} variant="plate" size="lg" className="mt-8">
            {nb('Попробовать бесплатно')}
            <ArrowRight className="ic" />
          </ButtonLink>
        </div>
      </section>
    </>
  );
}

/** A testimonial. An example is marked as one, and hidden where examples are not shown. */
function Testimonial() {
  const areExamplesShown = useShowcase()?.areExamplesShown ?? false;
  const { text, author, isExample } = TESTIMONIAL;
  if (isExample && !areExamplesShown) return null;
  return (
    <section className="px-5 md:px-[6vw] pb-16 md:pb-28 md:grid grid-cols-12 gap-8 items-center" aria-label="Отзыв">
      <div className="col-span-3 max-md:w-40 max-md:mb-6">
        <img className="ph" src={portrait} width={300} height={400} alt="" loading="lazy" />
      </div>
      <figure className="col-start-5 col-span-8">
        <blockquote className="display text-d3">«{nb(text)}»</blockquote>
        <figcaption className="mt-6 text-muted">
          {isExample ? nb('Пример отзыва: его место займут слова настоящего клиента') : author}
        </figcaption>
      </figure>
    </section>
  );
}

/** Questions and answers. `details` works without scripts. */
function Questions() {
  return (
    <section className="px-5 md:px-[6vw] py-16 md:py-28 md:grid grid-cols-12 gap-8">
      <h2 className="display text-d3 col-span-4 max-md:mb-6">Вопросы</h2>
      <div className="questions col-start-6 col-span-7">
        {listQuestions(useChange()).map(({ question, answer }) => (
          <details key={question}>
            <summary className="text-lg font-semibold">
              {question}
              <Plus className="ic" />
            </summary>
            <p className="text-muted pb-6 max-w-[62ch]">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
