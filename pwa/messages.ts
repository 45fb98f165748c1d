/** Words that several pages say. */
export const HELP_LABEL = 'Помощь';
export const BUY_GENERATIONS = 'Купить генерации';
export const BUY_STARS = 'Купить звезды';
export const STAR_HISTORY = 'История звёзд';
export const SETTINGS = 'Настройки';
/** From the public pages. */
export const OPEN_APP = 'В\u00a0приложение';
