import { StarIcon } from '#pwa/components/star-icon.tsx';
import { formatNumber, formatRubles, nb } from '#pwa/lib/format.ts';
import type { StarPackage } from '#shared/contract/payments.ts';
import { countStars, pluralize, STAR_FORMS } from '#shared/rules/plurals.ts';
import { MODEL_CHANGE_PRICE, PHOTOSESSION_PRICE, videoPrice } from '#shared/rules/prices.ts';
import { findStarTier } from '#shared/rules/star-tiers.ts';
import { usePackages } from './landing-data.ts';
import { SectionHead } from './section-head.tsx';

const PRICES = [
  ['Видео, 5 секунд', videoPrice(5)],
  ['Видео, 10 секунд', videoPrice(10)],
  ['Смена модели и фона', MODEL_CHANGE_PRICE],
  ['Фотосессия, 5 поз', PHOTOSESSION_PRICE],
] as const;

/** What things cost in stars, and stars in roubles. */
export function Prices() {
  const packages = usePackages() ?? [];
  return (
    <section className="bg-surface px-5 md:px-[6vw] py-16 md:py-24">
      <SectionHead
        title="Звёзды вместо подписки"
        text="Любая покупка навсегда открывает оригиналы без водяного знака."
      />
      <div className="grid md:grid-cols-[5fr_7fr] gap-10 md:gap-16">
        <table className="w-full self-start text-lg">
          <caption className="sr-only">Цены в звёздах</caption>
          <tbody>
            {PRICES.map(([name, stars]) => (
              <tr key={name} className="border-t border-line last:border-b">
                <th scope="row" className="py-4 font-normal text-left">
                  {nb(name)}
                </th>
                <td className="py-4 text-right num whitespace-nowrap">
                  <StarIcon className="inline -mt-1 mr-1.5" />
                  {countStars(stars)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <ul className="grid grid-cols-2 lg:grid-cols-4 gap-2 md:gap-3 content-start" aria-label="Пакеты звёзд">
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
    <li className={`panel p-4 md:p-5 flex flex-col min-h-[210px] ${isPopular ? '!bg-ink text-canvas' : ''}`}>
      <div className="min-h-[22px]">
        {badge && <span className={`tag ${isPopular ? 'thread' : 'line'}`}>{badge}</span>}
      </div>
      <h3 className={`text-sm mt-3 break-words ${quiet}`}>{name}</h3>
      <div className="display num text-d3 mt-1 leading-none">{formatNumber(stars)}</div>
      <div className={`text-sm ${quiet}`}>{pluralize(stars, STAR_FORMS)}</div>
      <div className="mt-auto pt-4 num font-semibold text-lg">{formatRubles(priceRub)}</div>
      <div className={`num text-sm ${quiet}`}>≈&nbsp;{formatRubles(Math.round(priceRub / stars))} за&nbsp;звезду</div>
    </li>
  );
}
