/** Midnight UTC, in the words of bot and mails. A page says it in the reader's zone. */
export const ENGINE_DAY_START = '3:00 по Москве';
