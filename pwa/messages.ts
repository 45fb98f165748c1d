/** Words and addresses that several pages say. */
export const HELP_URL = 'https://t.me/podium_help';
export const HELP_LABEL = 'Помощь';
export const BUY_GENERATIONS = 'Купить генерации';
export const BUY_STARS = 'Купить звезды';
