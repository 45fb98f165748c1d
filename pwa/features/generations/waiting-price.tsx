import { nb } from '#pwa/format.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { GARMENT_TEXTS } from './garment-texts.ts';

export interface WaitingPriceProps {
  /** Null before the server's first answer, which says whether the generation costs anything. */
  view: GenerationView | null;
  className: string;
}

/** Says beside a running generation of one star what happens to the star. */
export function WaitingPrice({ view, className }: WaitingPriceProps) {
  if (!view) return null;
  return (
    <p className={`text-sm text-muted ${className}`}>
      {nb(view.rerollOf === null ? 'Если не получится, звезда вернётся на баланс.' : GARMENT_TEXTS.freeWait)}
    </p>
  );
}
