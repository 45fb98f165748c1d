import portrait from '#pwa/assets/art/quote.svg';
import { TESTIMONIAL } from '#pwa/features/cases/claims.ts';
import { nb } from '#pwa/lib/format.ts';
import { useShowcase } from './landing-data.ts';

/** What a customer says; an example is marked as one, and left out where examples are not shown. */
export function Testimonial() {
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
