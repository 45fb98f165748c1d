import { formatAmount, nb } from '#pwa/format.ts';
import type { StarHistoryEntry } from '#shared/contract/stars.ts';
import type { GenerationFailureCode } from '#shared/rules/generation-lifecycle.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';
import { RESULT_WORDS } from '#shared/rules/tools.ts';

export interface StarEntryWords {
  /** What has happened to the stars. */
  title: string;
  /** The cause; null when the title is enough. */
  cause: string | null;
}

const UNKNOWN_GENERATION = {
  spentOn: 'за генерацию',
  completed: 'Генерация готова',
  failed: 'Генерация не получилась или была отменена',
};

/** Why the stars of a generation came back. */
const RETURN_CAUSES: Record<GenerationFailureCode, string> = {
  engine_error: 'Ошибка на стороне сервиса генерации',
  photo_unsuitable: 'Фото не подошло для генерации',
  photo_lost: 'Фото потеряно на сервере',
  content_refused: 'Сервис генерации не принял фото или описание',
  engine_maintenance: 'Инструмент был на обслуживании',
  engine_overloaded: 'Сервис генерации был перегружен',
  engine_timed_out: 'Генерация заняла слишком много времени',
  engine_budget_reached: 'Генерации на тот день закончились',
  engine_free_runs_reached: 'Бесплатные генерации на тот день закончились',
  engine_share_reached: 'Ваш лимит генераций на тот день был исчерпан',
  engine_refusals_reached: 'Сервис генерации отклонил в тот день три ваших заказа',
  consent_withdrawn: 'Согласие на передачу фото за границу было отозвано',
  job_lost: 'Сервис генерации потерял задание',
  storage_failed: 'Не удалось сохранить результат',
  timed_out: 'Генерация не завершилась за 30 минут',
  cancelled: 'Генерация отменена',
};

/** «1 звезда вернулась» */
function describeReturn(stars: number): string {
  return `${countStars(stars)} ${pluralize(stars, ['вернулась', 'вернулись', 'вернулись'])}`;
}

/** Describes a row of the ledger for people. */
export function describeStarEntry(entry: StarHistoryEntry): StarEntryWords {
  const { title, cause } = findWords(entry);
  return { title: nb(title), cause: [cause, entry.note].filter(Boolean).map(String).map(nb).join('. ') || null };
}

function describePurchase({ packageName, amountRub, currency, isTest }: NonNullable<StarHistoryEntry['payment']>) {
  const note = isTest ? ' (тестовый платёж, без денег)' : '';
  return `Пакет «${packageName}», ${formatAmount(amountRub, currency)}${note}`;
}

function findWords({ kind, delta, returned, generation, payment }: StarHistoryEntry): StarEntryWords {
  const words = generation ? RESULT_WORDS[generation.made].stars : UNKNOWN_GENERATION;
  const purchase = payment && describePurchase(payment);
  switch (kind) {
    case 'signup_bonus':
      return { title: 'Подарок', cause: 'За подтверждение email' };
    case 'hold':
      return { title: `Списано ${words.spentOn}`, cause: null };
    case 'capture':
      return {
        title: `Списано ${words.spentOn}`,
        cause: returned > 0 ? `${words.completed}. Получилось не всё: ${describeReturn(returned)}` : words.completed,
      };
    case 'release':
      return {
        title: `Возврат ${words.spentOn}`,
        cause: generation?.failureCode ? RETURN_CAUSES[generation.failureCode] : words.failed,
      };
    case 'purchase':
      return { title: 'Покупка звёзд', cause: purchase };
    case 'refund':
      if (delta > 0) return { title: 'Звёзды вернулись: возврат денег не прошёл', cause: purchase };
      return { title: 'Звёзды сняты: деньги возвращены', cause: purchase };
    case 'correction':
      return { title: generation ? `Возврат ${words.spentOn}` : 'Исправление баланса', cause: null };
    case 'interview_bonus':
      return { title: 'Подарок', cause: 'За участие в интервью' };
    case 'transfer':
      return { title: 'Звёзды из Telegram-бота', cause: null };
  }
}
