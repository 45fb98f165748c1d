/**
 * What the first page claims besides what the product itself does: words and figures of customers. The operator puts
 * real ones here (and into case-studies.ts); until then each is marked as an example where it is shown.
 */
export const CASE_CLAIMS = {
  /** Figures taken from the cases, not a promise. */
  figures: [
    { value: '+34–45 %', label: 'к CTR карточки' },
    { value: 'от +25 %', label: 'к конверсии' },
  ],
  isExample: true,
};

/** An example is left out in production: nobody has said it. */
export const TESTIMONIAL = {
  text: 'Раньше съёмка новинки занимала неделю. Теперь карточка с видео готова в тот же день, и на неё кликают заметно чаще.',
  /** Name and trade of who said it. */
  author: '',
  isExample: true,
};
