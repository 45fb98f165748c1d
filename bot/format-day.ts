const DAY = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long', timeZone: 'Europe/Moscow' });

/** «21 ноября 2026»: without the «г.», whose full stop would stand beside that of the sentence. */
export function formatDay(date: Date): string {
  return DAY.format(date).replace(/\s*г\.$/, '');
}
