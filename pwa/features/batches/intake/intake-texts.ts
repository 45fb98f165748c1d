import { nb } from '#pwa/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';

const FILES = ['файл', 'файла', 'файлов'] as const;
const LINES = ['строка', 'строки', 'строк'] as const;

/** «3 файла» */
export function countFiles(count: number): string {
  return nb(`${count} ${pluralize(count, FILES)}`);
}

/** «3 строки» */
export function countLines(count: number): string {
  return nb(`${count} ${pluralize(count, LINES)}`);
}

export const INTAKE_TEXTS = {
  zipTooLarge: 'Архив больше 500 МБ. Разделите его или добавьте папку',
  zipBroken: 'Архив не открылся. Проверьте, что это ZIP, или распакуйте его и добавьте папку',
  zipEmpty: 'В архиве нет файлов',
  tableEmpty: 'В таблице нет строк. Скачайте образец, чтобы посмотреть, как её заполнить',
  link: 'Это ссылка, а не файл. Сохраните картинку на устройство и добавьте её файлом',
} as const;
