import { Archive, ImageUp, SlidersHorizontal, Timer } from 'lucide-react';
import { nb } from '#pwa/format.ts';

const BENEFITS = [
  {
    Icon: ImageUp,
    title: 'Простая загрузка фото',
    text: 'JPG, PNG или WebP до 10 МБ. Перетащите файл или снимите вещь прямо с телефона.',
  },
  {
    Icon: SlidersHorizontal,
    title: 'Настройки генерации',
    text: 'Поворот, дефиле, позирование или танец. 5 или 10 секунд.',
  },
  {
    Icon: Timer,
    title: 'Создание видео за минуты',
    text: 'Страницу можно закрыть: генерация продолжится, а результат появится в истории.',
  },
  {
    Icon: Archive,
    title: 'Хранение и история видео',
    text: 'Все результаты собраны в галерее и доступны с любого устройства.',
  },
];

/** What the product offers beside its results. */
export function Benefits() {
  return (
    <section className="px-5 md:px-[6vw] py-16 md:py-28 md:grid grid-cols-12 gap-8">
      <h2 className="display text-d3 col-span-4 max-md:mb-6">{nb('Что внутри')}</h2>
      <dl className="col-start-6 col-span-7">
        {BENEFITS.map(({ Icon, title, text }) => (
          <div
            key={title}
            className="relative grid lg:grid-cols-[240px_minmax(0,1fr)] gap-x-2 gap-y-1 py-5 pl-[42px] md:pl-16 border-t border-line"
          >
            <dt className="text-lg font-semibold">
              <Icon className="ic ic-l absolute left-0 top-5" />
              {nb(title)}
            </dt>
            <dd className="text-muted">{nb(text)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
