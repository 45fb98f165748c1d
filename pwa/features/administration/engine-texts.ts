import { formatMoscowTime } from '#pwa/format.ts';
import type { AdminEngineTool, AdminOutage } from '#shared/contract/engines.ts';
import type { Change, FrameSort, Mover, PhotosTravel } from '#shared/rules/tool-abilities.ts';
import { TOOLS } from '#shared/rules/tools.ts';

const MOVERS: Record<Mover, string> = { person: 'движется человек', camera: 'движется камера' };
const CHANGES: Record<Change, string> = {
  model_change: 'меняет модель и фон',
  background_change: 'меняет только фон',
};
const FRAMES: Record<FrameSort, string> = { poses: 'разные позы', views: 'разные кадры одного фото' };
/** Where an engine takes the photos. */
export const TRAVELS: Record<PhotosTravel, string> = {
  nowhere: 'Фото остаются на этом сервере',
  operator: 'Фото уходят на ваш сервер с движком',
  abroad: 'Фото уходят за границу',
};

/** «Движется человек; 5 и 10 с; 3:4, 9:16, 1:1». */
export function describeAbilities(abilities: NonNullable<AdminEngineTool['engine']>['abilities']): string {
  const { mover, seconds, aspectRatios, change, frames } = abilities;
  const parts = [
    mover && MOVERS[mover],
    seconds && `${seconds.join(' и ')} с`,
    aspectRatios?.join(', '),
    change && CHANGES[change],
    frames && FRAMES[frames],
  ].filter(Boolean);
  const text = parts.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function nameOutageTool({ kind }: Pick<AdminOutage, 'kind'>): string {
  return kind ? TOOLS[kind].name : 'Все инструменты';
}

/** When the engine is tried again. */
export function describeTrial({ hasOrders, retryAt }: Pick<AdminOutage, 'hasOrders' | 'retryAt'>, now: Date): string {
  if (!hasOrders) return 'Новые заказы получает другой движок, поэтому проверять нечего.';
  if (new Date(retryAt) <= now) return 'Следующий заказ будет пробным: если он получится, сбой закончится.';
  return `Пробный заказ пройдёт после ${formatMoscowTime(retryAt)}.`;
}
