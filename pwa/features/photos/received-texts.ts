import type { ToastOptions } from '#pwa/components/toast.ts';
import { type LeftOut, WAITING_MAX } from '#pwa/features/uploads/shared-photos.ts';
import { nb } from '#pwa/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';

export const FIRST_TAKEN: ToastOptions = {
  title: 'Взято первое фото',
  description: nb('Остальные ждут под ним: нажмите на то, которое нужно'),
};

/** «Ещё 4 фото ждут» */
export function countWaiting(count: number): string {
  return nb(`Ещё ${count} фото ${pluralize(count, ['ждёт', 'ждут', 'ждут'])}`);
}

/** Says which files of a share could not be kept, why, and what to do. */
export function describeLeftOut({ tooMany, notKept, notPhotos }: LeftOut): ToastOptions {
  const reasons: string[] = [];
  if (tooMany > 0) {
    const kept = pluralize(tooMany, ['не сохранено', 'не сохранены', 'не сохранены']);
    reasons.push(`Ждать могут до ${WAITING_MAX} фото, ещё ${tooMany} ${kept}: уберите лишние и добавьте снова.`);
  }
  if (notKept > 0) {
    const kept = pluralize(notKept, ['не поместилось', 'не поместились', 'не поместились']);
    reasons.push(`${notKept} фото ${kept} на устройстве: освободите место и добавьте снова.`);
  }
  if (notPhotos > 0) {
    const taken = pluralize(notPhotos, ['файл не взят', 'файла не взяты', 'файлов не взяты']);
    reasons.push(`${notPhotos} ${taken}: это не фото.`);
  }
  const tone = tooMany + notKept > 0 ? 'danger' : 'plain';
  return { title: 'Сохранено не всё', description: nb(reasons.join(' ')), tone };
}
