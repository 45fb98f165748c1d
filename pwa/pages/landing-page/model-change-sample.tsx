import teeAfter from '#pwa/assets/art/cases/tee-after.webp';
import teeBefore from '#pwa/assets/art/cases/tee-before.webp';
import dressBefore from '#pwa/assets/samples/dress.avif';
import luxury from '#pwa/assets/samples/dress-luxury.avif';
import { BeforeAfter } from '#pwa/components/before-after.tsx';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { useChange } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import type { Showcase } from '#shared/contract/showcase.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import type { Change } from '#shared/rules/tool-abilities.ts';
import { useShowcase } from './landing-data.ts';
import { SampleNote } from './sample-note.tsx';

const TEE = {
  before: { url: teeBefore, alt: 'Синяя футболка с белыми полосами на белом фоне' },
  after: { url: teeAfter, alt: 'Та же футболка в бежевой студии с арками' },
};
const DRESS = {
  before: { url: dressBefore, alt: 'Зелёное платье на манекене, серый фон' },
  after: { url: luxury, alt: 'То же платье в тёплом интерьере с нишей' },
};

interface Words {
  title: string;
  changes: string;
  count: (counts: Showcase['counts']) => string;
  note?: string;
}

const WORDS: Record<Change, Words> = {
  model_change: {
    title: 'Новая модель, новый фон, та же вещь',
    changes: 'Меняются модель и интерьер',
    count: ({ women, men, backgrounds }) =>
      `${women + men} ${pluralize(women + men, ['модель', 'модели', 'моделей'])} и ${countBackgrounds(backgrounds)}`,
    note: 'В примере сменился только фон.',
  },
  background_change: {
    title: 'Новый фон, та же вещь',
    changes: 'Человек остаётся прежним, меняется то, что за ним',
    // Without «keep the original», which is not a new background.
    count: ({ backgrounds }) => countBackgrounds(backgrounds - 1),
  },
};

function countBackgrounds(count: number): string {
  return `${count} ${pluralize(count, ['фон', 'фона', 'фонов'])}`;
}

/** Samples: two products before other backgrounds. */
export function ModelChangeSample() {
  const counts = useShowcase()?.counts;
  const words = WORDS[useChange()];
  return (
    <section className="px-5 md:px-[6vw] py-16 md:py-28 md:grid grid-cols-12 gap-8 items-center">
      <div className="col-span-5 max-md:mb-8">
        <h2 className="display text-d2">{nb(words.title)}</h2>
        <p className="text-lg text-muted mt-5 max-w-[38ch]">
          {nb(`Крой, цвет и фурнитура остаются такими, как на вашем фото. ${words.changes}`)}
          {counts ? nb(`: ${words.count(counts)} на выбор.`) : '.'}
        </p>
        <SampleNote more={words.note} />
        <p className="mt-6 flex flex-wrap items-center gap-2 text-base">
          <StarIcon />
          <b className="num">{countStars(MODEL_CHANGE_PRICE)}</b>
          <span className="text-muted">за генерацию</span>
        </p>
      </div>
      <div className="col-start-7 col-span-3">
        <BeforeAfter {...TEE} />
      </div>
      <div className="col-span-3 max-md:hidden self-end">
        <BeforeAfter {...DRESS} />
      </div>
    </section>
  );
}
