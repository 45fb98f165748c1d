import type { Batch, BatchRow, BatchSet } from '#shared/contract/batches.ts';
import { describeGarment } from '#shared/rules/garments.ts';
import { MOTION_NAMES, resolveMotionPreset } from '#shared/rules/motion-presets.ts';
import { countStars, countStarsPaid, pluralize } from '#shared/rules/plurals.ts';
import { PHOTOSESSION_FRAMES } from '#shared/rules/prices.ts';
import { drawBar, lowerFirst, upperFirst } from './format.ts';

/** The bot's words about batches. */

/** What a photo is called that came without a file's name. */
export const NAMELESS_PHOTO = 'photo.jpg';
/** Telegram's limit for a text below a picture, which the message may have. */
const TEXT_MAX_LENGTH = 1024;
const LISTED = 5;

const MOMENT = new Intl.DateTimeFormat('ru-RU', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Europe/Moscow',
});

export const BATCH_BUTTONS = {
  more: 'Ещё фото',
  keepDuplicates: (count: number) => `Взять и повторы (${count})`,
  ownSet: 'Настроить здесь',
  set: (name: string) => `Набор «${name}»`,
  otherLook: 'Выбрать заново',
  start: (count: number, stars: number) => `Создать ${count} за ${countStarsPaid(stars)}`,
  startMore: (count: number, stars: number) => `Создать ещё ${count} за ${countStarsPaid(stars)}`,
  pilot: (count: number, stars: number) => `Сначала ${count} за ${countStarsPaid(stars)}`,
  pause: 'Пауза',
  resume: (stars: number) => `Продолжить за ${countStarsPaid(stars)}`,
  stop: (count: number) => `Остановить ожидающие (${count})`,
  repeatFailed: (count: number, stars: number) => `Повторить неудачные (${count}) за ${countStarsPaid(stars)}`,
  repeatStopped: (count: number, stars: number) => `Создать остановленные (${count}) за ${countStarsPaid(stars)}`,
  continues: (isOn: boolean) => `${isOn ? '✅' : '⬜️'} Продолжить после покупки звёзд`,
  buyStars: 'Купить звёзды',
  sendAgain: 'Прислать результаты ещё раз',
  send: 'Прислать результаты сюда',
};

/** «3 фото»: the word does not change. */
function countPhotos(count: number): string {
  return `${count} фото`;
}

export const BATCH_MESSAGES = {
  batchMoved: 'Состояние партии — в сообщении ниже.',
  batchParted: 'Связь с сайтом разорвана: эта партия и её результаты остались на сайте.',
  batchName: (date: Date) => `Telegram, ${MOMENT.format(date)}`,
  askTool: 'Что сделать из каждого фото?',
  askSet: 'Какой набор настроек взять?',
  askMore: 'Пришлите ещё фото, альбомом или по одному: они добавятся в эту партию.',
  receiving: 'Принимаю фото…',
  collected: (count: number) => (count === 0 ? 'В партии пока нет подходящих фото.' : `Фото в партии: ${count}.`),
  articles: (articles: readonly string[]) =>
    `Артикулы: ${articles.slice(0, LISTED).join(', ')}${articles.length > LISTED ? ` и ещё ${articles.length - LISTED}` : ''}.`,
  refused: (rows: readonly BatchRow[]) =>
    listLines(
      `Не ${pluralize(rows.length, ['подошёл', 'подошли', 'подошли'])} ${rows.length} ${pluralize(rows.length, ['файл', 'файла', 'файлов'])}:`,
      rows.map((row) => `${nameRow(row)} — ${lowerFirst(row.reason?.message ?? '')}`),
    ),
  duplicates: (rows: readonly BatchRow[]) =>
    listLines(
      `Такие фото у вас уже есть (${rows.length}), поэтому в партию они не взяты:`,
      rows.map((row) => (row.photo?.product ? `${nameRow(row)}, артикул ${row.photo.product.article}` : nameRow(row))),
    ),
  lostOnTheWay: (count: number) => `Не дошло: ${countPhotos(count)}. Пришлите ещё раз.`,
  chosen: (set: BatchSet, names: { model: string | null; background: string | null; change: string }) =>
    describeSet(set, names),
  person: 'Человек — с фото, которое вы прислали перед партией.',
  personMissing:
    'Для примерки сначала пришлите отдельным сообщением фото человека, а потом вещи альбомом: каждая будет надета на него.',
  batchPrice: ({ rows, stars }: { rows: number; stars: number }, affordable: number, balance: number) => {
    const price = `Цена ${countStars(stars)}. На балансе ${countStars(balance)}`;
    if (affordable >= rows) return `${price}, останется ${countStars(balance - stars)}.`;
    return `${price}: хватит на ${affordable} из ${rows}. Остальные подождут, пока хватит звёзд. Звёзды удерживаются, когда фото начинает создаваться.`;
  },
  takes: (seconds: number) => `Займёт около ${countMinutes(seconds)}.`,
  runs: ({ counts, secondsLeft }: Batch) => {
    const started = counts.done + counts.failed + counts.running + counts.waiting;
    const rest = [
      ...(counts.running > 0 ? [`создаётся ${counts.running}`] : []),
      ...(counts.waiting > 0 ? [`${pluralize(counts.waiting, ['ждёт', 'ждут', 'ждут'])} ${counts.waiting}`] : []),
      ...(counts.failed > 0 ? [`не вышло ${counts.failed}`] : []),
    ];
    return [
      `Готово ${counts.done} из ${started}.`,
      drawBar(started === 0 ? 0 : (counts.done + counts.failed) / started),
      ...(rest.length > 0 ? [`${upperFirst(rest.join(', '))}.`] : []),
      ...(secondsLeft > 0 ? [`Осталось около ${countMinutes(secondsLeft)}.`] : []),
    ].join('\n');
  },
  paused: ({ message, resumesAt, missingStars }: NonNullable<Batch['pause']>) =>
    [
      `⏸ ${message}.`,
      ...(missingStars !== null && missingStars > 0 ? [`Не хватает: ${countStars(missingStars)}.`] : []),
      ...(resumesAt === null ? [] : [`Продолжится ${MOMENT.format(new Date(resumesAt))} по Москве.`]),
    ].join('\n'),
  rested: ({ counts }: Pick<Batch, 'counts'>) => {
    const parts = [
      `${counts.done} готово`,
      ...(counts.failed > 0 ? [`${counts.failed} не вышло`] : []),
      ...(counts.stopped > 0 ? [`${counts.stopped} остановлено`] : []),
    ];
    return `Партия: ${parts.join(', ')}.`;
  },
  reasons: (rows: readonly BatchRow[]) => {
    const groups = Map.groupBy(rows, ({ reason }) => reason?.message ?? 'Произошла ошибка');
    return listLines(
      'Почему не вышло (звёзды за них вернулись):',
      [...groups].map(([message, group]) => `${message}: ${group.map(nameRow).slice(0, LISTED).join(', ')}`),
    );
  },
  previews:
    'Результаты приходят с логотипом, для ознакомления. Оригиналы без логотипа и ZIP — после любой покупки звёзд.',
  batchOriginals: 'Результаты — оригиналы, коммерческое использование разрешено.',
  siteBatchEnded: (name: string, batch: Pick<Batch, 'counts'>, address: string) =>
    `«${name}». ${BATCH_MESSAGES.rested(batch)}\nПосмотреть: ${address}`,
  waitsForStars: (
    name: string,
    { missingStars, continues }: { missingStars: number; continues: boolean },
    address: string,
  ) =>
    [
      `Партия «${name}» ждёт звёзд${missingStars > 0 ? `: не хватает ${countStars(missingStars)}` : ''}. Ничего не потеряно.`,
      continues
        ? 'После покупки звёзд она продолжится сама.'
        : 'Она продолжится после покупки звёзд, если отметить это ниже, или по кнопке «Продолжить».',
      `Партия: ${address}`,
    ].join('\n'),
  batchZip: (count: number) => `Все результаты файлами: ${count} ${pluralize(count, ['файл', 'файла', 'файлов'])}.`,
  batchZipTooLarge: (address: string, isLinked: boolean) =>
    `ZIP со всеми результатами больше 50 МБ, Telegram его не примет. Скачать на сайте: ${address}${isLinked ? '' : '\nЧтобы открыть партию там, свяжите бота с сайтом: /link'}`,
  notSent: (names: readonly string[], address: string) =>
    listLines('Эти результаты прислать не получилось, они на сайте:', [...names], address),
  nothingToSend: 'В этой партии пока нет готовых результатов.',
  sendingBatch: 'Присылаю результаты.',
  noBatches: 'Партий пока нет. Пришлите альбом: несколько фото одним сообщением.',
  batches: 'Ваши партии, новые сверху. Нажмите, чтобы открыть.',
  listedBatch: (name: string, count: number) => `${name} · ${count} фото`,
};

/** Shortens a text to what Telegram shows below a picture. */
export function fitText(text: string): string {
  return text.length <= TEXT_MAX_LENGTH ? text : `${text.slice(0, TEXT_MAX_LENGTH - 1)}…`;
}

/** The name of a row's file; «фото 3» for a photo without one. */
export function nameRow({ name, position }: Pick<BatchRow, 'name' | 'position'>): string {
  return name === NAMELESS_PHOTO ? `фото ${position + 1}` : name;
}

function listLines(head: string, lines: readonly string[], tail?: string): string {
  const more = lines.length - LISTED;
  return [
    head,
    ...lines.slice(0, LISTED).map((line) => `• ${line}`),
    ...(more > 0 ? [`• и ещё ${more}`] : []),
    ...(tail === undefined ? [] : [tail]),
  ].join('\n');
}

function describeSet(
  set: BatchSet,
  { model, background, change }: { model: string | null; background: string | null; change: string },
): string {
  switch (set.kind) {
    case 'video': {
      const { duration, aspectRatio, preset, prompt } = set.settings;
      const motion = resolveMotionPreset({ ...(preset ? { preset } : {}), ...(prompt ? { prompt } : {}) });
      return `Видео: ${MOTION_NAMES[motion].toLowerCase()}, ${duration} с, формат ${aspectRatio}.`;
    }
    case 'photosession':
      return `Фотосессия: ${PHOTOSESSION_FRAMES} кадров из каждого фото.`;
    case 'try_on':
      return `Примерка. Что за вещь: ${lowerFirst(describeGarment(set.settings.category))}.`;
    case 'model_change':
      return `${change}: ${[...(model === null ? [] : [model]), `фон «${background ?? 'как на фото'}»`].join(', ')}.`;
  }
}

/** «5 мин», «1 ч 20 мин» */
function countMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes < 60) return `${minutes} мин`;
  return minutes % 60 === 0 ? `${minutes / 60} ч` : `${Math.floor(minutes / 60)} ч ${minutes % 60} мин`;
}
