import type { Pack } from '#prisma/generated/client.ts';
import { MARKETPLACE_NAMES, MARKETPLACE_RULES_DATE, type Marketplace } from '#shared/rules/marketplaces.ts';
import { type ArrangedFile, EXTRA_FOLDER, listUnchecked } from '#shared/rules/packs.ts';
import type { PackedResult } from './pack-content.ts';

/** What has become of the files of a pack. */
export interface PackReport {
  pack: Pack;
  /** Results that were still there, in the order of the pack. */
  items: readonly PackedResult[];
  /** As they lie in the ZIP. */
  files: ArrangedFile<PackedResult>[];
  /** Paths of those whose originals are missing in the storage. */
  lost: string[];
}

const DAY = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long', timeZone: 'Europe/Moscow' });
/** Windows' own editor, too, shows each line as one. */
const LINE_BREAK = '\r\n';

/** The text beside the files: what was changed, what does not fit and why, and what nobody has checked. */
export function writeReadme({ pack, items, files, lost }: PackReport): string {
  const marketplace = pack.marketplace as Marketplace;
  const unchecked = listUnchecked(items, marketplace);
  const changed = files.filter(({ plan }) => plan.changes.length > 0);
  const extra = files.filter((file) => file.extra !== null);
  const deleted = pack.resultIds.length - items.length;
  const parts = [
    [
      `${MARKETPLACE_NAMES[marketplace]}: ${pack.title}`,
      `Собрано ${DAY.format(new Date())}. Правила маркетплейса — на ${DAY.format(new Date(MARKETPLACE_RULES_DATE))}.`,
      'Первый файл артикула — главное фото. Состояние каждой строки — в results.csv.',
    ],
    section(
      'Что изменено',
      changed.map(({ path, plan }) => `${path}: ${plan.changes.join(', ')}`),
    ),
    section(
      `Что лежит в папке «${EXTRA_FOLDER}» и почему`,
      extra.map((file) => `${file.path}: ${file.extra}`),
    ),
    section('Правило не проверено: маркетплейс его не публикует', unchecked),
    section('Этих файлов больше нет на сервере, звёзды за них можно вернуть в галерее', lost),
    deleted > 0 ? [`Удалено, пока собирался пакет: ${deleted}.`] : [],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join(LINE_BREAK)}${LINE_BREAK}`)
    .join(LINE_BREAK);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)];
}
