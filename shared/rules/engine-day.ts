/**
 * When a new day begins for the limits of the engines, which is midnight UTC. Bot and mails say it like this; a page
 * says it in the reader's zone.
 */
export const ENGINE_DAY_START = '3:00 по Москве';
