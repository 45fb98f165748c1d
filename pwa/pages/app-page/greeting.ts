/** «Доброе утро» from 5, «Добрый день» from 12, «Добрый вечер» from 18, «Доброй ночи» from 23. */
export function greet(hour: number): string {
  if (hour < 5 || hour >= 23) return 'Доброй ночи';
  if (hour < 12) return 'Доброе утро';
  return hour < 18 ? 'Добрый день' : 'Добрый вечер';
}
