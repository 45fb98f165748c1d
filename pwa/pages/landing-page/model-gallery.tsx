import { useChange } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { useShowcase } from './landing-data.ts';

/** Some of the models to choose from, if the installation offers models. */
export function ModelGallery() {
  const change = useChange();
  const showcase = useShowcase();
  if (!showcase || change !== 'model_change') return null;
  const { women, men } = showcase.counts;
  const count = women + men;
  return (
    <section className="pb-16 md:pb-28">
      <div className="px-5 md:px-[6vw] flex items-end justify-between mb-6 md:mb-10">
        <h2 className="display text-d2">
          {count}&nbsp;{pluralize(count, ['модель', 'модели', 'моделей'])}
        </h2>
        <p className="text-muted max-md:hidden">
          {nb(
            `${women} ${pluralize(women, ['женщина', 'женщины', 'женщин'])}, ${men} ${pluralize(men, ['мужчина', 'мужчины', 'мужчин'])}`,
          )}
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it. */}
      <ul className="model-row px-5 md:px-[6vw]" tabIndex={0} aria-label="Модели на выбор, список прокручивается">
        {showcase.models.map(({ id, name, ageRange, imageUrl, avifUrl, width, height }) => (
          <li key={id}>
            <picture>
              <source type="image/avif" srcSet={avifUrl} />
              <img className="ph" src={imageUrl} width={width} height={height} alt="" loading="lazy" />
            </picture>
            <div className="flex flex-wrap justify-between gap-x-2 mt-2 text-sm">
              <span className="font-medium">{name}</span>
              <span className="num text-muted">{ageRange.replace('-', '–')}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
