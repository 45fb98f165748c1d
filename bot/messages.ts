import { DELETION_GRACE_DAYS } from '#shared/rules/account-deletion.ts';
import type { GenerationKind, GenerationStatus } from '#shared/rules/generation-lifecycle.ts';
import type { AspectRatio, MotionPreset } from '#shared/rules/motion-presets.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';
import {
  MODEL_CHANGE_PRICE,
  PHOTOSESSION_FRAMES,
  PHOTOSESSION_PRICE,
  SIGNUP_BONUS_STARS,
} from '#shared/rules/prices.ts';

/** Everything that the bot says. */

export const COMMANDS = {
  start: 'Начать',
  gallery: 'Готовые видео и фото',
  balance: 'Баланс и звёзды',
  settings: 'Настройки',
  link: 'Связать с аккаунтом сайта',
  unlink: 'Разорвать связь с сайтом',
  help: 'Как пользоваться',
  terms: 'Условия бота',
  paysupport: 'Вопросы по оплате',
  delete: 'Удалить аккаунт',
} as const;

export const DESCRIPTION =
  'Пришлите фото товара — вернём короткое видео для карточки, фото с другой моделью или фотосессию из пяти кадров.';

export const TOOL_NAMES: Record<GenerationKind, string> = {
  video: '🎬 Видео',
  photosession: '📸 Фотосессия',
  model_change: '🧍 Сменить модель',
};

export const MOTION_NAMES: Record<MotionPreset, string> = {
  spin: 'Поворот',
  walk: 'Дефиле',
  pose: 'Позирование',
  dance: 'Танец',
  shoe: 'Обувь',
};

export const BUTTONS = {
  accept: 'Мне есть 18, принимаю',
  create: (stars: number) => `Создать за ${countStars(stars)}`,
  ratio: (ratio: AspectRatio) => `Формат ${ratio}`,
  seconds: (seconds: number) => `${seconds} с`,
  numbered: (number: number, label: string) => `${number}. ${label}`,
  back: '‹ Назад',
  previous: '‹',
  next: '›',
  cancel: 'Отменить',
  again: 'Ещё раз',
  otherMotion: 'Другое движение',
  openOnSite: 'Открыть на сайте',
  sendHere: 'Прислать сюда',
  link: 'Связать с сайтом',
  unlink: 'Разорвать связь',
  confirmLink: 'Связать',
  decline: 'Не сейчас',
  tellsResults: (isOn: boolean) => `${isOn ? '✅' : '⬜️'} Присылать сюда результаты с сайта`,
  confirmDeletion: 'Удалить аккаунт',
  takeBackDeletion: 'Отменить удаление',
  buy: (stars: number, xtr: number) => `${countStars(stars)} за ${xtr} ⭐️`,
};

const TERMS_IN_SHORT = [
  'Прежде чем начать, примите условия бота. Коротко:',
  '• Ботом можно пользоваться с 18 лет.',
  '• Присылайте только фотографии, на которые у вас есть права. Фото несовершеннолетних, обнажённое тело, насилие и чужие товарные знаки запрещены.',
  '• Пока вы не покупали звёзды, результаты приходят с логотипом сервиса и только для ознакомления. После любой покупки приходят оригиналы, их коммерческое использование разрешено.',
  '• Фото проходят через серверы Telegram и хранятся у оператора в России.',
  '• Оператор может менять условия; о новых бот спросит снова.',
].join('\n');

export const MESSAGES = {
  terms: (address: string) => `${TERMS_IN_SHORT}\n\nПолный текст: ${address}`,
  termsAccepted: (address: string, date: string) => `Вы приняли условия ${date}. Полный текст: ${address}`,
  termsFirst: 'Сначала примите условия: до этого бот ничего не загружает.',
  accepted: 'Спасибо, условия приняты.',
  welcome: (hasGift: boolean, balance: number) =>
    [
      'Это «Подиум»: фото товара превращается в видео.',
      hasGift ? `Вам подарок: ${countStars(SIGNUP_BONUS_STARS)}.` : `На балансе ${countStars(balance)}.`,
      '',
      'Пришлите фото товара. Лучше файлом («Прикрепить» → «Файл»), тогда Telegram его не сожмёт.',
    ].join('\n'),
  help: (site: string) =>
    [
      'Как это работает:',
      '1. Пришлите фото товара, лучше файлом: JPG, PNG или WebP до 10 МБ, от 300 px.',
      '2. Выберите, что сделать: видео, фотосессию или смену модели.',
      '3. Нажмите «Создать». Результат придёт сюда и сохранится на сайте.',
      '',
      `Цены: видео 5 с — ${countStars(1)}, 10 с — ${countStars(2)}, смена модели — ${countStars(MODEL_CHANGE_PRICE)}, фотосессия из ${PHOTOSESSION_FRAMES} кадров — ${countStars(PHOTOSESSION_PRICE)}. За неудачу звёзды возвращаются сами.`,
      '',
      ...Object.entries(COMMANDS).map(([name, text]) => `/${name} — ${text}`),
      '',
      `Сайт: ${site}`,
    ].join('\n'),

  photoAccepted: (size: { width: number; height: number }) =>
    `Фото принято: ${size.width}×${size.height}. Что сделать?`,
  sendAsFile: 'Telegram сжимает фото. Для лучшего качества пришлите его файлом.',
  photoSmall: 'Фото небольшое, результат может быть нерезким: лучше от 512 px.',
  albumFirst: 'Бот работает с одним фото: из альбома взято первое.',
  fileTooLarge: 'Файл больше 10 МБ. Уменьшите фото или сохраните его в JPG и пришлите снова.',
  notAPhoto: 'Этот файл — не фото. Пришлите JPG, PNG или WebP.',
  animation: 'Анимации и GIF бот не берёт: нужен один кадр. Пришлите фото в JPG, PNG или WebP.',
  videoSent: 'Видео бот не берёт, он сам делает видео из фото. Пришлите фото товара.',
  sticker: 'Стикер милый, но нужно фото товара.',
  voice: 'Голосовые сообщения бот не слушает. Пришлите фото товара или откройте /help.',
  text: 'Бот понимает фото и команды. Пришлите фото товара или откройте /help.',
  otherContent: 'С этим бот работать не умеет. Пришлите фото товара или откройте /help.',
  edited: 'Исправленные сообщения бот не читает. Пришлите фото или команду заново.',
  onlyPrivate: 'Бот работает только в личной переписке: у каждого свои фото и свои звёзды. Напишите мне напрямую.',
  tooOften: (seconds: number) =>
    `Слишком много сообщений. Подождите ${seconds} ${pluralize(seconds, ['секунду', 'секунды', 'секунд'])} и продолжайте.`,
  failure: 'Что-то пошло не так на нашей стороне. Попробуйте ещё раз через минуту.',
  photoGone: 'Этого фото больше нет. Пришлите его снова.',

  videoMenu: (choice: { motion: string; seconds: number; ratio: string; stars: number; balance: number }) =>
    [
      `Видео: ${choice.motion.toLowerCase()}, ${choice.seconds} с, формат ${choice.ratio}.`,
      priceLine(choice.stars, choice.balance),
    ].join('\n'),
  photosessionMenu: (balance: number) =>
    [`Фотосессия: ${PHOTOSESSION_FRAMES} кадров из одного фото.`, priceLine(PHOTOSESSION_PRICE, balance)].join('\n'),
  modelMenu: (page: number, pages: number) =>
    `Выберите модель: номер на снимке — номер на кнопке. Страница ${page} из ${pages}.`,
  backgroundMenu: (model: string) => `Модель: ${model}. Теперь фон (PRO — после любой покупки звёзд).`,
  modelChangeMenu: (choice: { model: string; background: string; balance: number; isModelReplaced: boolean }) =>
    [
      `Смена модели: ${choice.model}, фон «${choice.background}».`,
      ...(choice.isModelReplaced ? [] : ['Сейчас меняется только фон: человек на фото остаётся прежним.']),
      priceLine(MODEL_CHANGE_PRICE, choice.balance),
    ].join('\n'),
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
  progress: (lines: {
    stage: string;
    kind: GenerationKind;
    share: number | null;
    elapsed: number;
    expected: number | null;
  }) =>
    [
      `${KIND_TITLES[lines.kind]}. ${lines.stage}…`,
      ...(lines.share === null ? [] : [`${drawBar(lines.share)} ${Math.round(lines.share * 100)} %`]),
      `Прошло ${formatSeconds(lines.elapsed)}${lines.expected === null ? '' : `, обычно около ${formatSeconds(lines.expected)}`}.`,
    ].join('\n'),
  done: (kind: GenerationKind, seconds: number) =>
    `${KIND_TITLES[kind]}: готово за ${formatSeconds(seconds)}. Присылаю.`,
  failed: (reason: string) =>
    `Не получилось: ${lowerFirst(reason)}${/[.!?]$/.test(reason) ? '' : '.'} Звёзды вернулись на баланс.`,
  cancelled: 'Отменено. Звёзды вернулись на баланс.',
  cancelledInPart: 'Отменено. Готовые кадры сохранены, присылаю.',
  runsOn: 'Остановить уже нельзя: результат придёт сюда и сохранится в галерее.',
  hasEnded: 'Уже завершено.',

  caption: (kind: GenerationKind, isPremium: boolean, count: number) =>
    [
      kind === 'photosession'
        ? `Фотосессия: ${count} ${pluralize(count, ['кадр', 'кадра', 'кадров'])}.`
        : `${KIND_TITLES[kind]} готово.`,
      isPremium
        ? 'Коммерческое использование разрешено.'
        : 'Копия с логотипом, для ознакомления. Оригинал без логотипа — после любой покупки звёзд.',
    ].join('\n'),
  originalFile: 'Оригинал файлом, без сжатия.',
  compressed: (address: string) => `Оригинал больше 50 МБ, здесь — сжатая копия. Оригинал на сайте: ${address}`,
  actions: 'Что дальше?',
  webFailed: (kind: GenerationKind) => `${KIND_TITLES[kind]} с сайта: не получилось. Звёзды вернулись на баланс.`,
  resultGone: 'Этого результата больше нет.',

  emptyGallery: 'Здесь появятся ваши видео и фото. Пришлите фото товара, чтобы начать.',
  gallery: 'Ваши результаты, новые сверху. Нажмите, и бот пришлёт файл.',

  balance: (balance: number, isPremium: boolean) =>
    [
      `На балансе ${countStars(balance)}.`,
      isPremium ? 'Результаты приходят без логотипа, оригиналом.' : 'Результаты приходят с логотипом сервиса.',
    ].join('\n'),
  topUpOnSite: (address: string) => `Пополнить можно на сайте: ${address}`,
  topUpHere: 'Пополнить можно прямо здесь, за Telegram Stars (⭐️):',
  invoiceTitle: (stars: number) => countStars(stars),
  invoiceDescription: (name: string, stars: number) => `Пакет «${name}»: ${countStars(stars)} сервиса «Подиум»`,
  packageGone: 'Этот пакет больше не продаётся. Откройте /balance.',
  purchased: (stars: number, balance: number) =>
    `Спасибо! Зачислено ${countStars(stars)}, на балансе ${countStars(balance)}.`,
  purchaseRefused: 'Оплата пришла, но не сошлась со счётом. Мы разберёмся: напишите нам через /paysupport.',
  refunded: (xtr: number) => `Telegram вернул вам ${xtr} ⭐️.`,
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
      'Откройте эту ссылку в браузере, где вы вошли на сайт, и подтвердите связь:',
      address,
      '',
      'Ссылка действует 10 минут и только один раз. Никому её не пересылайте.',
    ].join('\n'),
  alreadyLinked: (email: string) => `Бот уже связан с аккаунтом ${email}. Разорвать связь: /unlink`,
  confirmLink: (email: string) =>
    `Связать этот чат с аккаунтом сайта ${email}? Звёзды и результаты из бота перейдут в него. Нажимайте, только если это ваш аккаунт.`,
  linked: (email: string, stars: number, endedGenerations: number) =>
    [
      `Готово: бот связан с аккаунтом ${email}.`,
      ...(stars > 0 ? [`Перенесено: ${countStars(stars)}.`] : []),
      ...(endedGenerations > 0
        ? ['Генерация из бота остановлена, потому что такая же идёт на сайте. Её звёзды вернулись.']
        : []),
    ].join('\n'),
  linkDeclined: 'Хорошо, ничего не связано.',
  confirmUnlink: (email: string) =>
    `Разорвать связь с аккаунтом ${email}? Звёзды и результаты останутся в нём, а в боте начнётся новый аккаунт без них.`,
  unlinked: 'Связь разорвана. Звёзды и результаты остались в аккаунте сайта.',
  notLinked: 'Бот не связан с аккаунтом сайта. Связать: /link',
  linkedFromSite: (email: string) => `Бот связан с аккаунтом сайта ${email}. Звёзды и результаты теперь общие.`,

  deleteOnSite: (address: string) =>
    `Этот аккаунт общий с сайтом. Чтобы удалить его, откройте настройки и подтвердите паролем: ${address}. Чтобы только отключить бота, есть /unlink`,
  confirmDeletion: (balance: number) =>
    `Удалить аккаунт? Через ${DELETION_GRACE_DAYS} дней будут стёрты фото и результаты, звёзды (${countStars(balance)}) сгорят. До этого удаление можно отменить.`,
  deletionAsked: (date: string) =>
    `Аккаунт будет удалён ${date}. До этого дня создавать новое нельзя. Передумаете — нажмите кнопку ниже или /delete`,
  deletionTakenBack: 'Удаление отменено, всё осталось на месте.',
};

const KIND_TITLES: Record<GenerationKind, string> = {
  video: 'Видео',
  photosession: 'Фотосессия',
  model_change: 'Фото с новой моделью',
};

const BAR_LENGTH = 10;

function drawBar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_LENGTH);
  return '▓'.repeat(full) + '░'.repeat(BAR_LENGTH - full);
}

function formatSeconds(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} мин ${Math.round(seconds % 60)} с` : `${Math.round(seconds)} с`;
}

function priceLine(stars: number, balance: number): string {
  const rest = balance - stars;
  return rest >= 0
    ? `Цена ${countStars(stars)}. На балансе ${countStars(balance)}, останется ${countStars(rest)}.`
    : `Цена ${countStars(stars)}. На балансе только ${countStars(balance)}.`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
