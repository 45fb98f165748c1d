import { Link } from 'react-router-dom';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { useChange, useFrameSort, useOffered, useVideoOffer } from '#pwa/features/tools/tools.ts';
import { formatNumber, formatRubles, nb } from '#pwa/format.ts';
import { BUY_STARS_PATH } from '#pwa/paths.ts';
import type { StarPackage } from '#shared/contract/payments.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { countStars, pluralize, STAR_FORMS } from '#shared/rules/plurals.ts';
import {
  MODEL_CHANGE_PRICE,
  PHOTOSESSION_PRICE,
  TRY_ON_PRICE,
  type VideoSeconds,
  videoPrice,
} from '#shared/rules/prices.ts';
import { findStarTier } from '#shared/rules/star-tiers.ts';
import { type Change, countFrames, type FrameSort } from '#shared/rules/tool-abilities.ts';
import { usePackages } from './landing-data.ts';
import { SectionHead } from './section-head.tsx';

const CHANGES: Record<Change, string> = { model_change: 'Смена модели и фона', background_change: 'Смена фона' };

interface OfferedTools {
  change: Change;
  frameSort: FrameSort;
  offered: readonly GenerationKind[];
  videoSeconds: readonly VideoSeconds[];
}

function listPrices({ change, frameSort, offered, videoSeconds }: OfferedTools): [name: string, stars: number][] {
  const prices: Record<GenerationKind, [name: string, stars: number][]> = {
    video: videoSeconds.map((seconds) => [`Видео, ${seconds} секунд`, videoPrice(seconds)]),
    model_change: [[CHANGES[change], MODEL_CHANGE_PRICE]],
    photosession: [[`Фотосессия, ${countFrames(frameSort)}`, PHOTOSESSION_PRICE]],
    try_on: [['Виртуальная примерка', TRY_ON_PRICE]],
  };
  return GENERATION_KINDS.flatMap((kind) => (offered.includes(kind) ? prices[kind] : []));
}

/** A buyer needs an account first. After the registration the buy-stars dialog opens. */
const BUYING_PATH = `${PATHS.auth}?${new URLSearchParams({ tab: 'register', next: BUY_STARS_PATH })}`;

/** Prices of the tools in stars, and of stars in roubles. */
export function Prices() {
  const packages = usePackages() ?? [];
  const tools = { change: useChange(), frameSort: useFrameSort(), offered: useOffered(), ...useVideoOffer() };
  return (
    <section className="bg-surface px-5 md:px-[6vw] py-16 md:py-24">
      <SectionHead
        title="Звёзды вместо подписки"
        text="Любая покупка навсегда открывает оригиналы без водяного знака."
      />
      <div className="grid md:grid-cols-[5fr_7fr] gap-10 md:gap-16">
        <dl className="self-start text-lg">
          {listPrices(tools).map(([name, stars]) => (
            <div key={name} className="flex flex-wrap justify-between gap-x-3 py-4 border-t border-line last:border-b">
              <dt>{nb(name)}</dt>
              <dd className="num ml-auto">
                <StarIcon className="inline -mt-1 mr-1.5" />
                {countStars(stars)}
              </dd>
            </div>
          ))}
        </dl>
        <ul
          className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8rem,40%)),1fr))] lg:grid-cols-[repeat(auto-fit,minmax(max(7rem,20%),1fr))] gap-2 md:gap-3 content-start"
          aria-label="Пакеты звёзд"
        >
          {packages.map((item) => (
            <PackageTile key={item.id} item={item} />
          ))}
        </ul>
      </div>
    </section>
  );
}

function PackageTile({ item: { name, stars, priceRub } }: { item: StarPackage }) {
  const { badge } = findStarTier(stars);
  const isPopular = badge === 'ПОПУЛЯРНЫЙ';
  const quiet = isPopular ? 'opacity-80' : 'text-muted';
  return (
    <li className="grid">
      <Link
        to={BUYING_PATH}
        className={`panel p-4 md:p-5 flex flex-col min-h-[210px] no-underline hover:shadow-[0_0_0_1px_var(--color-ink)] ${isPopular ? '!bg-ink text-canvas' : ''}`}
      >
        <div className="min-h-[22px]">
          {badge && (
            <span className={`tag !whitespace-normal [overflow-wrap:anywhere] ${isPopular ? 'thread' : 'line'}`}>
              {badge}
            </span>
          )}
        </div>
        <h3 className={`text-sm mt-3 break-words ${quiet}`}>{name}</h3>
        <div className="display num text-d3 mt-1 leading-none">{formatNumber(stars)}</div>
        <div className={`text-sm ${quiet}`}>{pluralize(stars, STAR_FORMS)}</div>
        <div className="mt-auto pt-4 num font-semibold text-lg">{formatRubles(priceRub)}</div>
        <div className={`num text-sm ${quiet}`}>≈&nbsp;{formatRubles(Math.round(priceRub / stars))} за&nbsp;звезду</div>
      </Link>
    </li>
  );
}
