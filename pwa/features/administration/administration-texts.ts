import type { z } from 'zod';
import { formatDate, formatTime } from '#pwa/lib/format.ts';
import type { AdminPayment, adminRefund, auditEntry } from '#shared/contract/administration.ts';
import type { STAR_ENTRY_KINDS } from '#shared/contract/stars.ts';
import { countStars } from '#shared/rules/plurals.ts';

type StarEntryKind = (typeof STAR_ENTRY_KINDS)[number];
type Refund = z.output<typeof adminRefund>;
type AuditEntry = z.output<typeof auditEntry>;

/** «21.11.2026, 14:20» */
export function formatMoment(date: string): string {
  return `${formatDate(date)}, ${formatTime(date)}`;
}

/** «1 990 ₽», «1 990,50 ₽» */
export function formatMoney(roubles: number): string {
  const digits = Number.isInteger(roubles) ? 0 : 2;
  return new Intl.NumberFormat('ru-RU', {
    ...{ style: 'currency', currency: 'RUB', minimumFractionDigits: digits, maximumFractionDigits: digits },
  }).format(roubles);
}

/** «+4», «−2», «0» */
export function formatDelta(delta: number): string {
  return delta > 0 ? `+${delta}` : String(delta).replace('-', '−');
}

export const PAYMENT_STATUSES: Record<AdminPayment['status'], string> = {
  pending: 'Ожидает оплаты',
  succeeded: 'Оплачен',
  canceled: 'Отменён',
};

/** The provider's words for why a payment came to nothing. */
const CANCELLATIONS: Record<string, string> = {
  '3d_secure_failed': 'Не пройдено подтверждение по 3-D Secure',
  call_issuer: 'Банк просит обратиться к\u00a0нему',
  canceled_by_buyer: 'Отменён покупателем',
  canceled_by_merchant: 'Отменён магазином',
  card_expired: 'Истёк срок карты',
  expired_on_confirmation: 'Не оплачен вовремя',
  fraud_suspected: 'Подозрение на мошенничество',
  general_decline: 'Отклонён банком',
  insufficient_funds: 'Не хватило денег',
  invalid_card_number: 'Неверный номер карты',
  invalid_csc: 'Неверный код карты',
  permission_revoked: 'Покупатель отозвал разрешение',
};

export function describeCancellation(reason: string): string {
  return CANCELLATIONS[reason] ?? reason;
}

export const REFUND_STATUSES: Record<Refund['status'], string> = {
  pending: 'возврат в\u00a0пути',
  succeeded: 'возвращено',
  canceled: 'возврат отклонён',
};

export const STAR_ENTRIES: Record<StarEntryKind, string> = {
  signup_bonus: 'Подарок за регистрацию',
  hold: 'Зарезервировано на генерацию',
  capture: 'Генерация готова',
  release: 'Возврат за генерацию',
  purchase: 'Покупка',
  refund: 'Возврат покупки',
  correction: 'Ручная правка',
  interview_bonus: 'Бонус за интервью',
};

const ACTIONS: Record<string, string> = {
  refund_requested: 'Возврат денег',
  stars_corrected: 'Правка баланса',
  interview_granted: 'Звёзды за интервью',
  package_changed: 'Изменение пакета',
};

export function describeAction(action: string): string {
  return ACTIONS[action] ?? action;
}

const DETAILS: Record<string, string> = {
  amountRub: 'сумма',
  amountKopecks: 'сумма, коп.',
  delta: 'изменение',
  stars: 'звёзд',
  starsTaken: 'снято звёзд',
  starsMissing: 'не хватило звёзд',
  balance: 'стало',
  reason: 'причина',
  name: 'название',
  priceRub: 'цена',
  paymentId: 'платёж',
  refundId: 'возврат',
  requestId: 'заявка',
  packageId: 'пакет',
};

/** «изменение: −2 · причина: Ошиблись · стало: 3» */
export function describeDetails(details: AuditEntry['details']): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${DETAILS[key] ?? key}: ${describeValue(key, value)}`)
    .join(' · ');
}

function describeValue(key: string, value: unknown): string {
  if (typeof value === 'number') {
    if (key === 'delta') return formatDelta(value);
    return key.endsWith('Rub') ? formatMoney(value) : String(value);
  }
  if (typeof value === 'string') return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value) ? value.slice(0, 8) : value;
  return JSON.stringify(value);
}

/** What a refund has done with the stars that the money had bought. */
export function describeTakenStars({ stars, starsTaken }: Pick<Refund, 'stars' | 'starsTaken'>): string {
  const missing = stars - starsTaken;
  if (missing === 0) return `С\u00a0баланса снято: ${countStars(starsTaken)}.`;
  return `С\u00a0баланса снято: ${countStars(starsTaken)}. Уже потрачено и\u00a0снять нельзя: ${countStars(missing)}.`;
}
