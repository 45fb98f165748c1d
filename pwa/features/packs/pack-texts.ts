import { nb } from '#pwa/format.ts';
import type { PackPreview } from '#shared/contract/packs.ts';
import { EXTRA_FOLDER } from '#shared/rules/packs.ts';
import { pluralize } from '#shared/rules/plurals.ts';

type PreviewedFile = PackPreview['files'][number];

/** «1 файл», «2 файла» */
export function countFiles(count: number): string {
  return nb(`${count} ${pluralize(count, ['файл', 'файла', 'файлов'])}`);
}

/** «Собрать пакет», «Собрать 3 пакета» */
export function describeOrder(count: number): string {
  return count < 2 ? 'Собрать пакет' : nb(`Собрать ${count} ${pluralize(count, ['пакет', 'пакета', 'пакетов'])}`);
}

/** What is changed, for the same changes together: «3 картинки: дополнены полями до 3:4». */
export function listChanges(files: readonly PreviewedFile[]): string[] {
  const groups = countEach(files.flatMap(({ changes }) => changes.map(withoutOldSize)));
  return groups.map(([change, count]) => nb(describeChange(change, count)));
}

/** What lies apart, for the same reasons together: «2 файла в «лишнее»: карточка принимает не больше 30 фото». */
export function listExtras(files: readonly PreviewedFile[]): string[] {
  const groups = countEach(files.flatMap(({ extra }) => (extra === null ? [] : withoutOwnSize(extra))));
  return groups.map(([reason, count]) => nb(`${countFiles(count)} в «${EXTRA_FOLDER}»: ${reason}`));
}

/** What nobody has checked: «фото (размер файла); видео (длительность)». Null when there is nothing. */
export function describeUnchecked(unchecked: readonly string[]): string | null {
  if (unchecked.length === 0) return null;
  const parts = unchecked.map((part) => part.replace(/: (.+)$/, ' ($1)'));
  return nb(`Не проверено, маркетплейс не сообщает правил: ${parts.join('; ')}`);
}

/** Why a template of names does not do. */
export function describeCollisions([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  const names = others.length > 0 ? `${first} и ещё ${others.length}` : first;
  return nb(`Несколько файлов получили бы одно название: ${names}. Добавьте {№}`);
}

function countEach(texts: readonly string[]): [text: string, count: number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts];
}

/** «увеличена с 900×1200 до 1200×1600» becomes «увеличена до 1200×1600», so that the same changes are told together. */
function withoutOldSize(change: string): string {
  return change.replace(/ с [\d×,]+ до /, ' до ');
}

/** «нужно не меньше 900×1200 пикселей, а у картинки 450×600: …» without the size of this one picture. */
function withoutOwnSize(reason: string): string {
  return reason.replace(/, а у (?:картинки|видео|этого) [\d×,]+(?: с)?(?=:)/, '');
}

/** The rules speak of one file: «дополнена» is a picture, «удлинено» a video. */
function describeChange(change: string, count: number): string {
  const [word = '', ...rest] = change.split(' ');
  const stem = word.slice(0, -1);
  const noun = word.endsWith('о') ? 'видео' : pluralize(count, ['картинка', 'картинки', 'картинок']);
  return `${count} ${noun}: ${[pluralize(count, [word, `${stem}ы`, `${stem}ы`]), ...rest].join(' ')}`;
}
