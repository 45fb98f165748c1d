import { DropletOff, Headset, ImageUp, Infinity as InfinityIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { StarIcon } from '#pwa/components/star-icon.tsx';
import { nb } from '#pwa/format.ts';
import { describeLogoRefusal } from '#shared/rules/marketplaces.ts';
import { BuyStarsButton, type BuyStarsButtonProps } from './buy-stars-button.tsx';

const BENEFITS = [
  { Icon: DropletOff, text: 'Без водяных знаков' },
  { Icon: ImageUp, text: 'Оригинальное HD-качество' },
  { Icon: InfinityIcon, text: 'Безлимитное скачивание' },
  { Icon: Headset, text: 'Приоритетная поддержка' },
];

/** Lists what a purchase unlocks, for the body of a dialog. */
export function UnlockOffer({ children }: { children?: ReactNode }) {
  return (
    <>
      <ul className="border-t border-line">
        {BENEFITS.map(({ Icon, text }) => (
          <li key={text} className="flex items-center gap-3 py-3 border-b border-line">
            <Icon className="ic" />
            {nb(text)}
          </li>
        ))}
      </ul>
      <p className="text-sm mt-4">{nb(`${describeLogoRefusal()}.`)}</p>
      <p className="text-sm text-muted mt-2">
        {nb('Достаточно одной покупки, даже 1 звезды. Доступ остаётся навсегда.')}
      </p>
      {children}
    </>
  );
}

/** The primary action of a dialog with an UnlockOffer. */
export function UnlockButton({ source, findWayBack }: Pick<BuyStarsButtonProps, 'source' | 'findWayBack'>) {
  return (
    <BuyStarsButton source={source} findWayBack={findWayBack} size="lg" icon={<StarIcon />} className="md:flex-1">
      Купить пакет звезд
    </BuyStarsButton>
  );
}

/** The result that the offer is about, along the left edge of the dialog. */
export function UnlockPicture({ url }: { url: string }) {
  return <img className="size-full object-cover" src={url} alt="" />;
}
