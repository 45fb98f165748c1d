import { formatTime } from '#pwa/format.ts';
import { ENGINE_DAY_START } from '#shared/rules/engine-day.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The server's text with the start of the engines' day in the reader's zone: «после 10:00» in Vladivostok. */
export function localizeEngineDay(text: string, now = Date.now()): string {
  return text.replace(ENGINE_DAY_START, formatTime(new Date(Math.ceil(now / DAY_MS) * DAY_MS)));
}
