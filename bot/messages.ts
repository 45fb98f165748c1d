import type { Merging } from '#api/services/account-lifecycle/merge-accounts.ts';
import type { GarmentDrift } from '#shared/contract/garment-checks.ts';
import type { ToolAbilities } from '#shared/contract/tools.ts';
import { FAILURES, type GenerationFailureCode, type GenerationStatus } from '#shared/rules/generation-lifecycle.ts';
import { describeLogoRefusal } from '#shared/rules/marketplaces.ts';
import type { AspectRatio } from '#shared/rules/motion-presets.ts';
import { PHOTO_MAX_PIXELS, PHOTO_MIN_SIDE_PX, PHOTO_SOFT_MIN_SIDE_PX } from '#shared/rules/photo-requirements.ts';
import { countStars, countStarsPaid, pluralize } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
import { REPORT_DECISIONS, type ReportDecision } from '#shared/rules/result-reports.ts';
import { DELETION_GRACE_DAYS } from '#shared/rules/retention.ts';
import { RESULT_WORDS, type ResultKind } from '#shared/rules/tools.ts';
import { BATCH_BUTTONS, BATCH_MESSAGES } from './batch-words.ts';
import { drawBar, formatSeconds, lowerFirst, upperFirst } from './format.ts';
import { listActions, listPrices, MENUS } from './tool-words.ts';

/** All texts of the bot. */

export const COMMANDS = {
  start: 'Начать',
  gallery: 'Готовые видео и фото',
  batches: 'Партии: много фото сразу',
  photos: 'Мои фото и место',
  balance: 'Баланс и звёзды',
  settings: 'Настройки',
  link: 'Связать с аккаунтом сайта',
  unlink: 'Разорвать связь с сайтом',
  help: 'Как пользоваться',
  terms: 'Условия бота',
  paysupport: 'Вопросы по оплате',
  delete: 'Удалить аккаунт',
} as const;

export const BUTTONS = {
  accept: 'Мне есть 18, принимаю',
  create: (stars: number) => `Создать за ${countStarsPaid(stars)}`,
  ratio: (ratio: AspectRatio) => `Формат ${ratio}`,
  seconds: (seconds: number) => `${seconds} с`,
  numbered: (number: number, label: string) => `${number}. ${label}`,
  deletePhoto: (number: number) => `Удалить ${number}`,
  deleteForGood: 'Удалить навсегда',
  back: '‹ Назад',
  previous: '‹',
  next: '›',
  cancel: 'Отменить',
  swapPhotos: '⇄ Вещь и человек наоборот',
  again: 'Ещё раз',
  reroll: 'Переделать бесплатно',
  otherMotion: 'Другое движение',
  report: 'Пожаловаться',
  frame: (number: number) => `Кадр ${number}`,
  openOnSite: 'Открыть на сайте',
  sendHere: 'Прислать сюда',
  link: 'Связать с сайтом',
  unlink: 'Разорвать связь',
  confirmLink: 'Связать',
  decline: 'Не сейчас',
  tellsResults: (isOn: boolean) => `${isOn ? '✅' : '⬜️'} Присылать сюда результаты с сайта`,
  agree: 'Согласиться на передачу',
  withdraw: 'Отозвать согласие на передачу фото за границу',
  confirmDeletion: 'Удалить аккаунт',
  cancelDeletion: 'Отменить удаление',
  buy: (stars: number, xtr: number) => `${countStars(stars)} за ${xtr} ⭐️`,
  ...BATCH_BUTTONS,
};

const COMMAND_LINES = Object.entries(COMMANDS).map(([name, text]) => `/${name} — ${text}`);

const TERMS_IN_SHORT = [
  '• Ботом можно пользоваться с 18 лет.',
  '• Присылайте только фотографии, на которые у вас есть права. Фото несовершеннолетних, обнажённое тело, насилие и чужие товарные знаки запрещены.',
  '• Пока вы не покупали звёзды, результаты приходят с логотипом сервиса и только для ознакомления. После любой покупки приходят оригиналы, их коммерческое использование разрешено.',
  '• Фото проходят через серверы Telegram и хранятся у оператора в России.',
  '• Оператор может менять условия; о новых бот спросит снова.',
];

const TRY_ON_HELP =
  'Для примерки пришлите два фото подряд: сначала вещь, потом человека. Кнопка «Примерить» появится под вторым.';

const BATCH_HELP =
  'Много фото сразу: пришлите их альбомом, фото или файлами. Инструмент и настройки бот спросит один раз, результаты пришлёт альбомами, а после любой покупки звёзд ещё и ZIP. Подпись под фото станет его артикулом.';

const DRIFT_NAMES: Record<GarmentDrift, string> = { colour: 'цвет', print: 'принт' };

const PHOTO_DELETION = 'Фото удаляется сразу и навсегда, готовые результаты остаются.';

/** «2,4 МБ» */
function countMegabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toLocaleString('ru-RU', { maximumFractionDigits: 1 })} МБ`;
}

const AFTER_LINK = 'Пришлите фото товара или откройте /gallery: там всё, что вы сделали здесь и на сайте.';

export const MESSAGES = {
  terms: (address: string, { haveChanged }: { haveChanged: boolean }) =>
    [
      haveChanged
        ? 'Условия бота изменились. Прежде чем продолжить, примите условия бота в новой редакции. Коротко:'
        : 'Прежде чем начать, примите условия бота. Коротко:',
      ...TERMS_IN_SHORT,
      '',
      `Полный текст: ${address}`,
      ...(haveChanged ? ['Не согласны — аккаунт можно удалить, не принимая их: /delete'] : []),
    ].join('\n'),
  termsAccepted: (address: string, date: string) => `Вы приняли условия ${date}. Полный текст: ${address}`,
  transfer: (address: string) =>
    [
      'Этот результат создаёт сервис за границей (fal, США). При запуске ему передаются фото, выбранная модель или фон и настройки; имя и другие данные аккаунта не передаются.',
      'Для этого нужно ваше отдельное согласие на передачу фото за границу. Пока его нет, ничего не запущено и не списано. Отозвать его можно в /settings.',
      '',
      `Полный текст: ${address}`,
    ].join('\n'),
  transferAccepted: 'Спасибо, согласие на передачу фото за границу записано. Нажмите кнопку запуска ещё раз.',
  transferWithdrawn: 'Согласие на передачу фото за границу отозвано: новые запуски с передачей спросят его снова.',
  termsFirst: 'Сначала примите условия: до этого бот ничего не загружает.',
  accepted: 'Спасибо, условия приняты.',
  welcome: (gift: 'given' | 'had_before' | null, balance: number) =>
    [
      'Это «Подиум»: фото товара превращается в видео.',
      gift === 'given' ? `Вам подарок: ${countStars(SIGNUP_BONUS_STARS)}.` : `На балансе ${countStars(balance)}.`,
      ...(gift === 'had_before' ? ['Подарок за регистрацию этот Telegram уже получал: он даётся один раз.'] : []),
      '',
      'Пришлите фото товара. Лучше файлом («Прикрепить» → «Файл»), тогда Telegram его не сожмёт.',
    ].join('\n'),
  help: (site: string, tools: ToolAbilities) =>
    [
      'Как это работает:',
      '1. Пришлите фото товара, лучше файлом: JPG, PNG или WebP до 10 МБ, от 300 px.',
      `2. Выберите, что сделать: ${listActions(tools)}.`,
      ...(tools.offered.includes('try_on') ? [TRY_ON_HELP] : []),
      '3. Нажмите «Создать». Результат придёт сюда и сохранится на сайте.',
      BATCH_HELP,
      '',
      `Цены: ${listPrices(tools)}. За неудачу звёзды возвращаются сами.`,
      '',
      ...COMMAND_LINES,
      '',
      `Сайт: ${site}`,
    ].join('\n'),

  photoAccepted: (size: { width: number; height: number }) =>
    `Фото принято: ${size.width}×${size.height}. Что сделать?`,
  sendAsFile: 'Telegram сжимает фото. Для лучшего качества пришлите его файлом.',
  photoSmall: `Фото небольшое, результат может быть нерезким: лучше от ${PHOTO_SOFT_MIN_SIDE_PX} px.`,
  fileTooLarge: 'Файл больше 10 МБ. Уменьшите фото или сохраните его в JPG и пришлите снова.',
  notAPhoto: 'Этот файл — не фото. Пришлите JPG, PNG или WebP.',
  formatRefused: 'SVG, GIF и TIFF не подходят. Сохраните фото в JPG, PNG или WebP и пришлите снова.',
  emptyFile: 'Файл пустой. Пришлите фото ещё раз.',
  heicUnreadable: 'Этот файл HEIC не открылся. Сохраните фото в JPG и пришлите снова.',
  avifUnreadable: 'Этот файл AVIF не открылся. Сохраните фото в JPG и пришлите снова.',
  photoTooSmall: `Фото меньше ${PHOTO_MIN_SIDE_PX}×${PHOTO_MIN_SIDE_PX} px. Пришлите покрупнее, лучше от ${PHOTO_SOFT_MIN_SIDE_PX} px по короткой стороне.`,
  photoTooLarge: `Фото слишком большое: не больше ${PHOTO_MAX_PIXELS / 1_000_000} мегапикселей и не длинной полосой. Уменьшите или обрежьте его и пришлите снова.`,
  photoUnreadable: 'Фото не открылось: похоже, файл повреждён. Сохраните его заново в JPG и пришлите снова.',
  animation: 'Анимации и GIF бот не берёт: нужен один кадр. Пришлите фото в JPG, PNG или WebP.',
  videoSent: 'Видео бот не берёт, он сам делает видео из фото. Пришлите фото товара.',
  sticker: 'Стикер милый, но нужно фото товара.',
  voice: 'Голосовые сообщения бот не слушает. Пришлите фото товара или откройте /help.',
  audio: 'Аудио бот не слушает. Пришлите фото товара или откройте /help.',
  unknownCommand: ['Такой команды нет. Бот знает эти:', ...COMMAND_LINES].join('\n'),
  text: 'Бот понимает фото и команды. Пришлите фото товара или откройте /help.',
  otherContent: 'С этим бот работать не умеет. Пришлите фото товара или откройте /help.',
  edited: 'Исправленные сообщения бот не читает. Пришлите фото или команду заново.',
  onlyPrivate: 'Бот работает только в личной переписке: у каждого свои фото и свои звёзды. Напишите мне напрямую.',
  tooOften: (seconds: number) =>
    `Слишком много сообщений. Подождите ${seconds} ${pluralize(seconds, ['секунду', 'секунды', 'секунд'])} и продолжайте.`,
  failure: 'Что-то пошло не так на нашей стороне. Попробуйте ещё раз через минуту.',
  photoGone: 'Этого фото больше нет. Пришлите его снова.',

  obstacle: ({ names, message }: { names: string; message: string }) => `⚠️ ${names}: ${lowerFirst(message)}.`,
  ...MENUS,
  ...BATCH_MESSAGES,
  alreadyStarted: 'Уже создаём.',
  activeGeneration: 'Такая генерация уже идёт — в боте или на сайте. Дождитесь её или отмените.',
  notEnoughStars: (stars: number, balance: number) =>
    `Не хватает звёзд: ${pluralize(stars, ['нужна', 'нужны', 'нужны'])} ${countStars(stars)}, на балансе ${countStars(balance)}.`,
  premiumBackground: 'Этот фон открывается после любой покупки звёзд.',

  status: {
    pending: 'В очереди',
    processing: 'Готовим фото',
    generating: 'Создаём',
  } satisfies Partial<Record<GenerationStatus, string>>,
  saving: 'Сохраняем и готовим к отправке',
  progress: (lines: {
    stage: string;
    made: ResultKind;
    share: number | null;
    elapsed: number;
    /** How long it takes, to follow the elapsed time. */
    wait: string;
  }) =>
    [
      `${RESULT_WORDS[lines.made].name}. ${lines.stage}…`,
      ...(lines.share === null ? [] : [drawBar(lines.share)]),
      `Прошло ${formatSeconds(lines.elapsed)}${lines.wait}.`,
    ].join('\n'),
  /** `isPrepared`: false while the copy for watching is still to be made. */
  done: (made: ResultKind, seconds: number, isPrepared: boolean) =>
    `${RESULT_WORDS[made].name}: готово за ${formatSeconds(seconds)}. ${isPrepared ? 'Присылаю.' : 'Готовим для просмотра и пришлём сюда.'}`,
  preparing: 'Готовим видео для просмотра, пришлём, как только будет готово.',
  copyFailed: 'Не получилось подготовить видео для просмотра. Само видео сохранено: попросите прислать его ещё раз.',
  failed: (code: GenerationFailureCode, back: StarsBack) => {
    const { reason, advice } = FAILURES[code];
    const stop = /[.!?]$/.test(reason) ? '' : '.';
    const next = advice ? ` ${upperFirst(advice)}.` : '';
    return `Не получилось: ${lowerFirst(reason)}${stop} ${STARS_BACK[back]}${next}`;
  },
  cancelled: (back: StarsBack) => `Отменено. ${STARS_BACK[back]}`,
  cancelledInPart: 'Отменено. Готовые кадры сохранены, присылаю.',
  runsOn: 'Остановить уже нельзя: результат придёт сюда и сохранится в галерее.',
  runsOnInPart: 'Часть кадров уже делается: они придут сюда и сохранятся в галерее. Остальные остановлены.',
  hasEnded: 'Уже завершено.',

  /** `count`: number of pictures. Null for a tool that makes one file. */
  caption: (made: ResultKind, isPremium: boolean, count: number | null) =>
    [
      count === null
        ? `${RESULT_WORDS[made].notice.completed}.`
        : `${RESULT_WORDS[made].name}: ${count} ${pluralize(count, ['кадр', 'кадра', 'кадров'])}.`,
      isPremium
        ? 'Коммерческое использование разрешено.'
        : 'Копия с логотипом, для ознакомления. Оригинал без логотипа — после любой покупки звёзд.',
    ].join('\n'),
  originalFile: 'Оригинал файлом, без сжатия.',
  compressed: (address: string) => `Оригинал больше 50 МБ, здесь — сжатая копия. Оригинал на сайте: ${address}`,
  actions: 'Что дальше?',
  webFailed: (made: ResultKind, isFree: boolean) =>
    `${RESULT_WORDS[made].name} с сайта: не получилось. ${STARS_BACK[isFree ? 'nothing' : 'balance']}`,
  /** `frames`: which of several have drifted, from 0. Empty for a tool that makes one file. */
  drift: (found: {
    made: ResultKind;
    drifts: readonly GarmentDrift[];
    frames: readonly number[];
    isRerollOffered: boolean;
  }) =>
    [
      `${RESULT_WORDS[found.made].name}. Проверьте ${found.drifts.map((drift) => DRIFT_NAMES[drift]).join(' и ')}: похоже, на результате не так, как на вашем фото.`,
      'Слева — фото, справа — результат.',
      ...(found.frames.length > 0 ? [`Кадры: ${found.frames.map((frame) => frame + 1).join(', ')}.`] : []),
      ...(found.isRerollOffered ? ['Если это так, переделаем бесплатно, один раз.'] : []),
    ].join('\n'),
  rerollRuns: 'Уже переделываем. Результат будет здесь и в галерее.',
  rerollUsed: 'Бесплатная переделка уже была.',
  parted: (made: ResultKind) =>
    `${RESULT_WORDS[made].name}. Связь с сайтом разорвана: результат придёт только на сайт, в галерею.`,
  reportedFrame: 'На какой кадр вы жалуетесь?',
  reportReason: 'Что не так с результатом?',
  describeComplaint: (mark: string) => `Опишите, что не так: ответьте на это сообщение.\n\nРезультат ${mark}`,
  reported: 'Жалоба отправлена. Администратор посмотрит результат, решение придёт сюда.',
  reportClosed: (made: ResultKind, decision: ReportDecision, answer: string | null) =>
    [
      `Жалоба рассмотрена. ${RESULT_WORDS[made].name}: ${REPORT_DECISIONS[decision]}.`,
      ...(answer ? ['', `Ответ администратора: ${answer}`] : []),
    ].join('\n'),
  resultGone: 'Этого результата больше нет.',
  resultLost: (address: string) =>
    `Файл этого результата потерян на сервере, прислать его нельзя. Звёзды за него можно вернуть на сайте: ${address}`,
  resultForeign: 'Это сделано в другом аккаунте сайта. Свяжите его с этим чатом: /link.',
  buttonGone: 'Эта кнопка больше не действует. Пришлите фото товара или откройте /help.',

  emptyGallery: 'Здесь появятся ваши видео и фото. Пришлите фото товара, чтобы начать.',
  gallery: 'Ваши результаты, новые сверху. Нажмите, и бот пришлёт файл.',

  balance: (balance: number, isPremium: boolean) =>
    [
      `На балансе ${countStars(balance)}.`,
      isPremium
        ? 'Результаты приходят без логотипа, оригиналом.'
        : `Результаты приходят с логотипом сервиса. ${describeLogoRefusal()}.`,
    ].join('\n'),
  topUpOnSite: (address: string) => `Купить звезды можно на сайте: ${address}`,
  topUpHere: 'Купить звезды можно прямо здесь, за Telegram Stars (⭐️):',
  invoiceTitle: (stars: number) => countStars(stars),
  invoiceDescription: (name: string, stars: number) => `Пакет «${name}»: ${countStars(stars)} сервиса «Подиум»`,
  packageGone: 'Этот пакет больше не продаётся. Откройте /balance.',
  purchased: (stars: number, balance: number) =>
    `Спасибо! Зачислено ${countStars(stars)}, на балансе ${countStars(balance)}.`,
  purchasedElsewhere: (stars: number, email: string, balance: number) =>
    [
      `Спасибо! Зачислено ${countStars(stars)} на аккаунт сайта ${email}: там теперь ${countStars(balance)}.`,
      'Бот с ним больше не связан, поэтому здесь их нет. Связать снова: /link',
    ].join('\n'),
  chargeReturned: (xtr: number) =>
    `Эта оплата не подошла ни к одному неоплаченному счёту, звёзды по ней не зачислены. Telegram вернёт вам ${xtr} ⭐️. Если их не будет в течение дня, напишите нам: /paysupport`,
  refunded: (xtr: number, taken: { stars: number; isPremiumOver: boolean; isBuyersOwn: boolean } | null) =>
    [
      `Telegram вернул вам ${xtr} ⭐️.`,
      ...(taken
        ? [
            taken.stars > 0
              ? `С баланса${taken.isBuyersOwn ? '' : ' аккаунта сайта'} снято: ${countStars(taken.stars)}.`
              : 'С баланса ничего не снято: купленные звёзды уже потрачены.',
          ]
        : []),
      ...(taken?.isPremiumOver ? ['Оригиналы без логотипа снова закрыты, до новой покупки.'] : []),
    ].join('\n'),
  paySupport: (address: string, email: string) =>
    `По вопросам оплаты и возвратов напишите нам: ${address} или ${email}. Укажите дату покупки. Telegram за покупки в боте не отвечает и помочь с ними не может.`,

  settings: (account: string, isLinked: boolean) =>
    [
      `Аккаунт: ${account}.`,
      isLinked ? 'Бот связан с сайтом: звёзды и результаты общие.' : 'Бот не связан с сайтом.',
    ].join('\n'),
  telegramAccount: 'только Telegram',
  linkHere: (address: string) =>
    [
      'Откройте эту ссылку в браузере, где вы вошли на сайт, и подтвердите связь паролем от аккаунта сайта:',
      address,
      '',
      'Ссылка действует 10 минут и только один раз. Никому её не пересылайте.',
    ].join('\n'),
  alreadyLinked: (email: string) => `Бот уже связан с аккаунтом ${email}. Разорвать связь: /unlink`,
  confirmLink: (email: string) =>
    `Связать этот чат с аккаунтом сайта ${email}? Чат получит доступ к его звёздам, фото, видео и изображениям. Подарок за регистрацию считается один раз: если на сайте он уже был, его остаток из бота не переносится. Нажимайте, только если это ваш аккаунт.`,
  linked: (email: string, merging: Merging) =>
    [`Готово: бот связан с аккаунтом ${email}.`, ...describeMerging(merging), AFTER_LINK].join('\n'),
  linkDeclined: 'Хорошо, ничего не связано.',
  confirmUnlink: (email: string, isInProgress: boolean) =>
    [
      `Разорвать связь с аккаунтом ${email}? Звёзды и результаты останутся в нём, а в боте начнётся новый аккаунт без них.`,
      ...(isInProgress ? ['То, что сейчас создаётся, придёт только на сайт.'] : []),
    ].join('\n'),
  unlinkDeclined: 'Хорошо, связь с сайтом осталась.',
  unlinked: 'Связь разорвана. Звёзды и результаты остались в аккаунте сайта.',
  notLinked: 'Бот не связан с аккаунтом сайта. Связать: /link',
  linkedFromSite: (email: string, merging: Merging) =>
    [
      `Бот связан с аккаунтом сайта ${email}. Звёзды и результаты теперь общие.`,
      ...describeMerging(merging),
      AFTER_LINK,
    ].join('\n'),

  deleteOnSite: (address: string) =>
    `Этот аккаунт общий с сайтом. Чтобы удалить его, откройте настройки и подтвердите паролем: ${address}. Чтобы только отключить бота, есть /unlink`,
  confirmDeletion: (balance: number) =>
    `Удалить аккаунт? Через ${DELETION_GRACE_DAYS} дней будут стёрты фото и результаты, звёзды (${countStars(balance)}) сгорят. До этого удаление можно отменить.`,
  deletionAsked: (date: string) =>
    `Аккаунт будет удалён ${date}. До этого дня создавать и покупать нельзя. Передумаете — нажмите кнопку ниже.`,
  deletionPending:
    'Аккаунт ждёт удаления, поэтому создавать и покупать нельзя. Отменить удаление можно кнопкой в чате.',
  deletionDeclined: 'Хорошо, аккаунт остаётся.',
  keptPhotos: (
    { total, usedBytes, limitBytes }: { total: number; usedBytes: number; limitBytes: number },
    photos: readonly { name: string; storedBytes: number }[],
  ) => {
    const room = `Фото: ${total}. Занято ${countMegabytes(usedBytes)} из ${countMegabytes(limitBytes)}.`;
    if (photos.length === 0) return room;
    const lines = photos.map(
      ({ name, storedBytes }, index) => `${index + 1}. ${name} — ${countMegabytes(storedBytes)}`,
    );
    return [room, ['Самые большие:', ...lines].join('\n'), PHOTO_DELETION].join('\n\n');
  },
  askPhotoDeletion: (name: string) => `Удалить фото «${name}»? ${PHOTO_DELETION}`,
  nothingToDelete: 'В боте у вас нет аккаунта: удалять нечего.',
  chatForgotten: 'В боте у вас нет аккаунта. Имя и @имя этого чата удалены.',
  deletionTakenBack: 'Удаление отменено, всё осталось на месте.',
};

/** What became of the stars of a generation that has ended without a result. */
export type StarsBack = 'balance' | 'gift' | 'nothing';

const STARS_BACK: Record<StarsBack, string> = {
  balance: 'Звёзды вернулись на баланс.',
  gift: 'Звёзды за неё были из подарка за регистрацию, а он считается один раз: на сайте он уже был.',
  nothing: 'Звёзды за неё не списывались.',
};

function describeMerging({ stars, takenGift, endedGenerations }: Merging): string[] {
  return [
    ...(endedGenerations > 0 ? [describeEnded(endedGenerations)] : []),
    ...(stars > 0 ? [`Перенесено: ${countStars(stars)}.`] : []),
    ...(takenGift > 0
      ? [`Подарок за регистрацию считается один раз, а на сайте он уже был: не перенесено ${countStars(takenGift)}.`]
      : []),
  ];
}

function describeEnded(count: number): string {
  const what =
    count === 1
      ? 'Генерация из бота остановлена, потому что такая же идёт на сайте.'
      : `Генерации из бота остановлены (${count}), потому что такие же идут на сайте.`;
  return `${what} За то, что не готово, звёзды не списаны.`;
}

export const TOOL_NAMES: Record<ResultKind, string> = {
  video: '🎬 Видео',
  photosession: '📸 Фотосессия',
  model_change: '🧍 Сменить модель',
  background_change: '🖼 Сменить фон',
  try_on: '👗 Примерить',
};
