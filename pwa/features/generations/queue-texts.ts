/** Words about the line behind a running generation. */
export const QUEUE_TEXTS = {
  queue: 'В очередь',
  queueing: 'Ставим в очередь…',
  showProgress: 'Показать ход',
  showEnd: 'Посмотреть',
} as const;
