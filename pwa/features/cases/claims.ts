/**
 * Claims on the landing page that come from customers: their words and figures. The operator puts real ones here (and
 * into case-studies.ts). Until then each is shown as an example.
 */
export const CASE_CLAIMS = {
  /** Figures from the cases, not a promise. */
  figures: [
    { value: '+34–45 %', label: 'к CTR карточки' },
    { value: 'от +25 %', label: 'к конверсии' },
  ],
  isExample: true,
};

/** An example is hidden in production, because nobody has said it. */
export const TESTIMONIAL = {
  text: 'Раньше съёмка новинки занимала неделю. Теперь карточка с видео готова в тот же день, и на неё кликают заметно чаще.',
  /** Name and trade of the customer. */
  author: '',
  isExample: true,
};
