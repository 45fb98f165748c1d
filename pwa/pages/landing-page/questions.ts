import { nb } from '#pwa/format.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
import { CHANGE_NAMES, type Change } from '#shared/rules/tool-abilities.ts';

/** Questions that people ask before they sign up. Search engines get them as structured data. */
export function listQuestions(change: Change): { question: string; answer: string }[] {
  return [
    {
      question: 'Какие фото подойдут?',
      answer:
        'JPG, PNG или WebP до 10 МБ, от 300 пикселей по короткой стороне. Лучше всего получаются вещи на модели лицом к камере и обувь отдельно, без инфографики и мелких деталей.',
    },
    {
      question: 'Сколько стоит одна генерация?',
      answer: `Видео на 5 секунд и ${CHANGE_NAMES[change].toLowerCase()} стоят по 1 звезде, видео на 10 секунд и фотосессия — по 2 звезды. После подтверждения email вы получаете ${countStars(SIGNUP_BONUS_STARS)} в подарок.`,
    },
    {
      question: 'Что будет, если генерация не удалась?',
      answer: 'Звёзды вернутся на баланс сами, писать в поддержку не нужно.',
    },
    {
      question: 'Можно ли использовать результат в карточке товара?',
      answer:
        'Да, если вы купили хотя бы один пакет звёзд: после первой покупки оригиналы скачиваются без водяного знака и разрешены для коммерческого использования. Бесплатные результаты — для знакомства, с водяным знаком.',
    },
  ].map(({ question, answer }) => ({ question: nb(question), answer: nb(answer) }));
}
