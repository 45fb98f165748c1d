/** Words that several pages say. */
export const HELP_LABEL = 'Помощь';
export const BUY_GENERATIONS = 'Купить генерации';
export const BUY_STARS = 'Купить звезды';
export const STAR_HISTORY = 'История звёзд';
export const SETTINGS = 'Настройки';
/** Where a gallery of pictures is empty; true of every engine. */
export const PICTURES_TO_COME = 'Здесь появятся фото с новым фоном и кадры фотосессий.';
/** From the public pages. */
export const OPEN_APP = 'В\u00a0приложение';
