import pose1 from '#pwa/assets/samples/dress-pose-1.avif';
import pose2 from '#pwa/assets/samples/dress-pose-2.avif';
import pose3 from '#pwa/assets/samples/dress-pose-3.avif';
import pose4 from '#pwa/assets/samples/dress-pose-4.avif';
import pose5 from '#pwa/assets/samples/dress-pose-5.avif';
import { useFrameSort } from '#pwa/features/tools/tools.ts';
import { type FrameSort, nameFrame } from '#shared/rules/tool-abilities.ts';
import { SampleNote } from './sample-note.tsx';
import { SectionHead } from './section-head.tsx';

const POSES = [
  { picture: pose1, alt: 'платье целиком, белый фон' },
  { picture: pose2, alt: 'платье в повороте, кремовый фон' },
  { picture: pose3, alt: 'верх платья крупно' },
  { picture: pose4, alt: 'ткань и пояс вблизи' },
  { picture: pose5, alt: 'платье на фоне ниши' },
];

const TEXTS: Record<FrameSort, string> = {
  poses: 'Пять разных поз и планов. Хватит на всю галерею карточки товара.',
  views: 'Пять разных кадров: вещь целиком, крупно и на другом фоне. Хватит на всю галерею карточки товара.',
};

/** A sample: five frames made from one photo. */
export function PhotosessionSample() {
  const frameSort = useFrameSort();
  return (
    <section className="bg-surface px-5 md:px-[6vw] py-16 md:py-28">
      <SectionHead title="Фотосессия по одному фото" text={TEXTS[frameSort]} />
      <div className="grid grid-cols-6 md:grid-cols-5 gap-2 md:gap-3">
        {POSES.map(({ picture, alt }, index) => (
          <figure key={picture} className={`${index > 1 ? 'col-span-2' : 'col-span-3'} md:col-span-1`}>
            <img
              className="ph"
              src={picture}
              width={480}
              height={640}
              alt={`${nameFrame(frameSort, index)}: ${alt}`}
              loading="lazy"
            />
            <figcaption className="num text-sm text-muted mt-2">{nameFrame(frameSort, index)}</figcaption>
          </figure>
        ))}
      </div>
      <SampleNote />
    </section>
  );
}
