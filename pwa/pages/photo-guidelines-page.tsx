import { ArrowRight } from 'lucide-react';
import { ButtonLink } from '#pwa/components/button.tsx';
import { nb } from '#pwa/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { PHOTO_MAX_BYTES, PHOTO_MIN_SIDE_PX, PHOTO_SOFT_MIN_SIDE_PX } from '#shared/rules/photo-requirements.ts';
import { RISKY, SUITABLE, UNSUITABLE } from './photo-guidelines-page/guideline-pictures.ts';
import { PictureGrid } from './photo-guidelines-page/picture-grid.tsx';

const FILE_FACTS = [
  { label: 'Формат', value: 'JPG, PNG, WebP' },
  { label: 'Размер файла', value: `до ${PHOTO_MAX_BYTES / 1024 ** 2} МБ` },
  { label: 'Минимум', value: `${PHOTO_MIN_SIDE_PX}×${PHOTO_MIN_SIDE_PX} px` },
  { label: 'Лучше от', value: `${PHOTO_SOFT_MIN_SIDE_PX}×${PHOTO_SOFT_MIN_SIDE_PX} px` },
];

/** What makes a good source photo, with drawn examples. */
export default function PhotoGuidelinesPage() {
  return (
    <div className="max-w-[960px] mx-auto px-5 py-8 md:py-12">
      <h1 className="ptitle">Требования к фото</h1>
      <p className="text-lg text-muted mt-3 max-w-[60ch]">
        {nb('Чем яснее вещь видна на фото, тем точнее она выйдет в видео, на новом фоне и в фотосессии.')}
      </p>
      <dl className="panel mt-6 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8rem,40%)),1fr))] md:grid-cols-4 gap-px bg-line overflow-hidden">
        {FILE_FACTS.map(({ label, value }) => (
          <div key={label} className="bg-surface p-4">
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="num text-lg font-semibold">{nb(value)}</dd>
          </div>
        ))}
      </dl>

      <PictureGrid
        id="suitable"
        title="Подойдёт"
        lead="Лицо видно хорошо или не видно совсем, кадр в полный рост или по пояс."
        verdict="suitable"
        pictures={SUITABLE}
      />
      <PictureGrid
        id="unsuitable"
        title="Не загружайте"
        lead="Программа примет надписи и лишнее за часть вещи."
        verdict="unsuitable"
        pictures={UNSUITABLE}
      />
      <PictureGrid
        id="risky"
        title="Лучше избегать"
        lead="Иногда получается, но чаще звезда уходит на неудачный кадр."
        verdict="risky"
        pictures={RISKY}
      />

      <section aria-labelledby="type" className="mt-12">
        <h2 id="type" className="text-xl font-semibold">
          {nb('Выберите верный тип: «одежда» или «обувь»')}
        </h2>
        <p className="mt-2 max-w-[60ch]">
          {nb(
            'В «Создать видео» тип задаёт движение. Движение «Обувь» — это тип «обувь»: камера облетает пару или один ботинок. Все остальные движения — тип «одежда»: в кадре вещь на модели или на манекене.',
          )}
        </p>
        <ButtonLink to={PATHS.createVideo} className="mt-5 max-md:w-full">
          Создать видео
          <ArrowRight className="ic" />
        </ButtonLink>
      </section>
    </div>
  );
}
