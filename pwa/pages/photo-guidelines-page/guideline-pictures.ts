import accessories from '#pwa/assets/art/guidelines/avoid-accessories.webp';
import coveredFace from '#pwa/assets/art/guidelines/avoid-covered-face.webp';
import flatLay from '#pwa/assets/art/guidelines/avoid-flat-lay.webp';
import group from '#pwa/assets/art/guidelines/avoid-group.webp';
import poorLight from '#pwa/assets/art/guidelines/avoid-poor-light.webp';
import back from '#pwa/assets/art/guidelines/bad-back.webp';
import infographics from '#pwa/assets/art/guidelines/bad-infographics.webp';
import shoesOnFeet from '#pwa/assets/art/guidelines/bad-shoes-on-feet.webp';
import smallDetails from '#pwa/assets/art/guidelines/bad-small-details.webp';
import clean from '#pwa/assets/art/guidelines/good-clean.webp';
import facing from '#pwa/assets/art/guidelines/good-facing.webp';
import shoe from '#pwa/assets/art/guidelines/good-shoe.webp';
import simple from '#pwa/assets/art/guidelines/good-simple.webp';

export interface GuidelinePicture {
  url: string;
  alt: string;
  text: string;
}

export const SUITABLE: readonly GuidelinePicture[] = [
  {
    url: facing,
    alt: 'Модель в бордовом платье лицом к камере',
    text: 'Качественное фото одежды на модели лицом к камере',
  },
  { url: shoe, alt: 'Один коричневый ботинок на ровном фоне', text: 'Обувь отдельно, с типом генерации «обувь»' },
  { url: clean, alt: 'Мужчина в сером костюме на ровном фоне', text: 'Чистое изображение: ровный фон, ничего лишнего' },
  { url: simple, alt: 'Модель в светлом свитере и плиссированной юбке', text: 'Простые детали, которые хорошо видно' },
];

export const UNSUITABLE: readonly GuidelinePicture[] = [
  { url: infographics, alt: 'Фото пальто с надписями, ценниками и стрелками', text: 'Фото с инфографикой' },
  { url: back, alt: 'Модель в платье спиной к камере', text: 'Модель спиной к камере' },
  { url: shoesOnFeet, alt: 'Сапоги, надетые на ноги', text: 'Обувь, надетая на ноги' },
  { url: smallDetails, alt: 'Пальто с множеством мелких цветных деталей', text: 'Одежда со множеством мелких деталей' },
];

export const RISKY: readonly GuidelinePicture[] = [
  { url: coveredFace, alt: 'Лицо модели закрыто кепкой и маской', text: 'Лицо закрыто' },
  { url: flatLay, alt: 'Рубашка разложена на полу', text: 'Раскладка на плоскости' },
  { url: group, alt: 'Три человека в кадре', text: 'Несколько человек' },
  { url: accessories, alt: 'Сумка, очки и браслет', text: 'Одни аксессуары' },
  { url: poorLight, alt: 'Модель едва видна в темноте', text: 'Плохой свет' },
];
