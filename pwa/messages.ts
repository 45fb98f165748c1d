/** Texts that several pages use. */
export const HELP_LABEL = 'Помощь';
export const BUY_GENERATIONS = 'Купить генерации';
export const BUY_STARS = 'Купить звезды';
export const STAR_HISTORY = 'История звёзд';
export const RECENTLY_DELETED = 'Недавно удалённые';
export const SETTINGS = 'Настройки';
/** For an empty gallery of pictures. It holds for every engine. */
export const PICTURES_TO_COME = 'Здесь появятся фото с новым фоном и кадры фотосессий.';
/** The link from public pages. */
export const OPEN_APP = 'В\u00a0приложение';
