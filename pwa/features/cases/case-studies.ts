import dressBefore from '#pwa/assets/art/cases/dress-before.webp';
import dressPose1 from '#pwa/assets/art/cases/dress-pose-1.webp';
import dressPose2 from '#pwa/assets/art/cases/dress-pose-2.webp';
import dressPose3 from '#pwa/assets/art/cases/dress-pose-3.webp';
import dressPose4 from '#pwa/assets/art/cases/dress-pose-4.webp';
import dressPose5 from '#pwa/assets/art/cases/dress-pose-5.webp';
import shoeBefore from '#pwa/assets/art/cases/shoe-before.webp';
import shoeFrame1 from '#pwa/assets/art/cases/shoe-frame-1.webp';
import shoeFrame2 from '#pwa/assets/art/cases/shoe-frame-2.webp';
import shoeFrame3 from '#pwa/assets/art/cases/shoe-frame-3.webp';
import teeAfter from '#pwa/assets/art/cases/tee-after.webp';
import teeBefore from '#pwa/assets/art/cases/tee-before.webp';

/** A share in percent before and after. The change is always computed from these two. */
export interface Metric {
  name: string;
  before: number;
  after: number;
}

export interface CasePicture {
  url: string;
  alt: string;
}

export interface CaseStudy {
  id: string;
  title: string;
  task: string;
  result: string;
  /** Whether the page marks it as an example; false for a real shop that has agreed to be shown. */
  isExample: boolean;
  before: CasePicture;
  after: readonly CasePicture[];
  metrics: readonly Metric[];
}

/**
 * The cases of /cases. The operator replaces them with real ones: pictures in pwa/assets/art/cases, and figures from
 * the shop's own statistics. The shipped cases are examples: the product made their pictures from rendered samples, and
 * their figures belong to no shop.
 */
export const CASE_STUDIES: readonly CaseStudy[] = [
  {
    id: 'shoe-video',
    title: 'Видео вместо второго фото',
    task: 'Кроссовки показывали одним снимком сбоку, и карточка ничем не останавливала взгляд.',
    result:
      'Снимок стал видео на 5 секунд с движением «Обувь»: камера плавно проходит вдоль кроссовка и не срезает его краёв.',
    isExample: true,
    before: { url: shoeBefore, alt: 'Белый кроссовок с оранжевыми полосами, снимок сбоку' },
    after: [
      { url: shoeFrame1, alt: 'Начало видео: кроссовок целиком' },
      { url: shoeFrame2, alt: 'Видео на второй секунде: камера прошла к носку' },
      { url: shoeFrame3, alt: 'Видео на четвёртой секунде: камера прошла к пятке' },
    ],
    metrics: [{ name: 'CTR карточки', before: 1.37, after: 1.75 }],
  },
  {
    id: 'tee-background',
    title: 'Новый фон для целой линейки',
    task: 'Футболки сняты на белом листе, и в выдаче карточка терялась среди таких же.',
    result: 'Сменили фон на студию с арками: вещь осталась той же, а карточка стала заметной.',
    isExample: true,
    before: { url: teeBefore, alt: 'Синяя футболка с белыми полосами на белом фоне' },
    after: [{ url: teeAfter, alt: 'Та же футболка в бежевой студии с арками' }],
    metrics: [
      { name: 'CTR карточки', before: 1.6, after: 2.15 },
      { name: 'Конверсия в заказ', before: 3.6, after: 4.5 },
    ],
  },
  {
    id: 'dress-photosession',
    title: 'Пять кадров из одного',
    task: 'У платья был один кадр на манекене: не разглядеть ни ткань, ни крой.',
    result: 'Фотосессия по одному фото дала общий план на двух фонах, лиф и ткань юбки крупно и кадр с аркой.',
    isExample: true,
    before: { url: dressBefore, alt: 'Зелёное платье на манекене, исходный снимок' },
    after: [
      { url: dressPose1, alt: 'Кадр 1: платье целиком на светлом фоне' },
      { url: dressPose2, alt: 'Кадр 2: платье с наклоном' },
      { url: dressPose3, alt: 'Кадр 3: лиф и пояс крупно' },
      { url: dressPose4, alt: 'Кадр 4: ткань юбки крупно' },
      { url: dressPose5, alt: 'Кадр 5: платье на фоне арки' },
    ],
    metrics: [
      { name: 'CTR карточки', before: 2.04, after: 2.94 },
      { name: 'Конверсия в заказ', before: 2.8, after: 3.6 },
    ],
  },
];
