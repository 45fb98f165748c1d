import { ArrowRight } from 'lucide-react';
import curtain from '#pwa/assets/art/cta.svg';
import { ButtonLink } from '#pwa/components/button.tsx';
import { nb } from '#pwa/lib/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { Benefits } from './benefits.tsx';
import { Claims } from './claims.tsx';
import { ModelChangeSample } from './model-change-sample.tsx';
import { ModelGallery } from './model-gallery.tsx';
import { PhotosessionSample } from './photosession-sample.tsx';
import { Prices } from './prices.tsx';
import { Questions } from './questions-section.tsx';
import { Testimonial } from './testimonial.tsx';
import { VideoSample } from './video-sample.tsx';

/** Everything below the first picture. */
export function LandingSections() {
  return (
    <>
      <Claims />
      <VideoSample />
      <ModelChangeSample />
      <PhotosessionSample />
      <Benefits />
      <ModelGallery />
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
