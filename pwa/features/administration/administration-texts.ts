import type * as z from 'zod/mini';
import { formatAmount, formatRubles } from '#pwa/format.ts';
import type {
  AdminPayment,
  AuditAction,
  AuditDetails,
  adminRefund,
  auditEntry,
} from '#shared/contract/administration.ts';
import { nameEngine, OUTAGE_CAUSES } from '#shared/contract/engines.ts';
import type { GarmentDrift } from '#shared/contract/garment-checks.ts';
import type { AdminReport } from '#shared/contract/result-reports.ts';
import type { STAR_ENTRY_KINDS } from '#shared/contract/stars.ts';
import type { PageProvider } from '#shared/rules/payment-providers.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { REPORT_DECISIONS } from '#shared/rules/result-reports.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { TOOLS } from '#shared/rules/tools.ts';

type StarEntryKind = (typeof STAR_ENTRY_KINDS)[number];
type Refund = z.output<typeof adminRefund>;
type AuditEntry = z.output<typeof auditEntry>;

/** «21.11.2026, 14:20», in Moscow time, as all times of the panel. */
export function formatMoment(date: string): string {
  return new Date(date).toLocaleString('ru-RU', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Moscow' });
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

/** Why we canceled a payment. */
const OWN_CANCELLATIONS: Record<string, string> = {
  canceled_by_buyer: 'Отменён покупателем',
  never_opened: 'Платёжная система не\u00a0открыла счёт за\u00a0сутки',
};

const YOOKASSA_CANCELLATIONS = {
  '3d_secure_failed': 'Не пройдено подтверждение по 3-D Secure',
  call_issuer: 'Банк просит обратиться к\u00a0нему',
  canceled_by_merchant: 'Отменён магазином',
  card_expired: 'Истёк срок карты',
  country_forbidden: 'Карты этой страны не\u00a0принимаются',
  expired_on_confirmation: 'Не оплачен вовремя',
  fraud_suspected: 'Подозрение на мошенничество',
  general_decline: 'Отклонён банком',
  insufficient_funds: 'Не хватило денег',
  internal_timeout: 'Платёжная система не\u00a0успела',
  invalid_card_number: 'Неверный номер карты',
  invalid_csc: 'Неверный код карты',
  issuer_unavailable: 'Банк не\u00a0отвечает',
  payment_method_limit_exceeded: 'Превышен лимит платежей',
  payment_method_restricted: 'Операции по\u00a0карте запрещены',
  permission_revoked: 'Покупатель отозвал разрешение',
};

/** Why a provider canceled a payment, by its own codes. The sandbox has YooKassa's. */
const PROVIDER_CANCELLATIONS: Record<PageProvider | 'sandbox', Record<string, string>> = {
  sandbox: YOOKASSA_CANCELLATIONS,
  yookassa: YOOKASSA_CANCELLATIONS,
  tbank: {
    attempts_expired: 'Не удалось оплатить ни\u00a0с\u00a0одной попытки',
    canceled: 'Отменён магазином',
    deadline_expired: 'Не оплачен вовремя',
    reversed: 'Банк вернул деньги до\u00a0списания',
  },
};

export function describeCancellation(provider: string, reason: string): string {
  // The provider refused to create the invoice: its HTTP status and its text.
  if (/^\d{1,4}\b/.test(reason)) return `Платёжная система не\u00a0открыла счёт: ${reason}`;
  const ofProviders: Record<string, Record<string, string>> = PROVIDER_CANCELLATIONS;
  return OWN_CANCELLATIONS[reason] ?? ofProviders[provider]?.[reason] ?? reason;
}

export const REFUND_STATUSES: Record<Refund['status'], string> = {
  pending: 'возврат в\u00a0пути',
  succeeded: 'возвращено',
  canceled: 'возврат отклонён',
};

const STAR_ENTRIES: Record<StarEntryKind, string> = {
  signup_bonus: 'Подарок за регистрацию',
  hold: 'Зарезервировано на генерацию',
  capture: 'Генерация готова',
  release: 'Возврат за генерацию',
  purchase: 'Покупка',
  refund: 'Возврат покупки',
  correction: 'Ручная правка',
  interview_bonus: 'Бонус за интервью',
  transfer: 'Объединение с Telegram',
};

/** Describes a row of the ledger. Rows that give stars back say so. */
export function describeStarEntry({ kind, delta }: { kind: StarEntryKind; delta: number }): string {
  if (delta > 0 && kind === 'capture') return 'Генерация готова не\u00a0полностью, часть звёзд вернулась';
  if (delta > 0 && kind === 'refund') return 'Возврат покупки отклонён, звёзды вернулись';
  return STAR_ENTRIES[kind];
}

const ACTIONS: Record<AuditAction, string> = {
  refund_requested: 'Возврат денег',
  stars_corrected: 'Правка баланса',
  interview_granted: 'Звёзды за интервью',
  package_changed: 'Изменение пакета',
  admin_role_changed: 'Роль администратора',
  engine_trial_requested: 'Проверка движка',
  report_closed: 'Решение по\u00a0жалобе',
  star_charge_unmatched: 'Оплата в\u00a0Telegram без подходящего счёта',
  star_charge_returned: 'Оплата без счёта возвращена',
};

/** Who did it. Entries about star charges without an invoice are automatic. */
export function describeAuthor({ admin, action }: Pick<AuditEntry, 'admin' | 'action'>): string {
  return admin ?? (action.startsWith('star_charge_') ? 'Автоматически' : 'Команда оператора');
}

export function describeAction(action: string): string {
  return isOneOf(ACTIONS, action) ? ACTIONS[action] : action;
}

function isOneOf<Key extends string>(known: Record<Key, unknown>, value: unknown): value is Key {
  return typeof value === 'string' && Object.hasOwn(known, value);
}

type DetailKey = { [Action in AuditAction]: keyof AuditDetails[Action] }[AuditAction];
/** The currency is shown with the amount. */
const DETAILS: Record<Exclude<DetailKey, 'currency'>, string> = {
  amountRub: 'сумма',
  change: 'что сделано',
  delta: 'изменение',
  stars: 'звёзд',
  starsTaken: 'снято звёзд',
  balance: 'стало',
  reason: 'причина',
  name: 'название',
  priceRub: 'цена',
  priceXtr: 'цена в\u00a0Telegram Stars',
  paymentId: 'платёж',
  requestId: 'заявка',
  reportId: 'жалоба',
  decision: 'решение',
  packageId: 'пакет',
  chargeId: 'платёж в\u00a0Telegram',
  invoice: 'счёт',
  engine: 'движок',
  tool: 'инструмент',
  cause: 'сбой',
};

const CHANGES: Record<AuditDetails['package_changed' | 'admin_role_changed']['change'], string> = {
  added: 'добавлен',
  edited: 'изменён',
  removed: 'снят с\u00a0продажи',
  restored: 'возвращён в\u00a0продажу',
  granted: 'выдана',
  revoked: 'снята',
};

/** «изменение: −2 · причина: Ошиблись · стало: 3» */
export function describeDetails(details: AuditEntry['details']): string {
  const names: Record<string, string> = DETAILS;
  return Object.entries(details)
    .filter(([key, value]) => value !== null && key !== 'currency')
    .map(([key, value]) => `${names[key] ?? key}: ${describeValue(key, value, details.currency)}`)
    .join(' · ');
}

function describeValue(key: string, value: unknown, currency: unknown): string {
  if (typeof value === 'number') {
    if (key === 'delta') return formatDelta(value);
    if (key === 'amountRub') return formatAmount(value, currency === 'XTR' ? 'XTR' : 'RUB');
    return key.endsWith('Rub') ? formatRubles(value) : String(value);
  }
  const changes: Record<string, string> = CHANGES;
  if (key === 'change' && typeof value === 'string') return changes[value] ?? value;
  if (key === 'engine' && typeof value === 'string') return nameEngine(value);
  if (key === 'decision' && isOneOf(REPORT_DECISIONS, value)) return REPORT_DECISIONS[value];
  if (key === 'cause' && isOneOf(OUTAGE_CAUSES, value)) return OUTAGE_CAUSES[value].name;
  if (key === 'tool' && isOneOf(TOOLS, value)) return TOOLS[value].name;
  if (typeof value === 'string') return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value) ? shortId(value) : value;
  return JSON.stringify(value);
}

/** How many stars a refund has taken back, and how many were already spent. */
export function describeTakenStars({ stars, starsTaken }: Pick<Refund, 'stars' | 'starsTaken'>): string {
  const missing = stars - starsTaken;
  if (missing === 0) return `С\u00a0баланса снято: ${countStars(starsTaken)}.`;
  return `С\u00a0баланса снято: ${countStars(starsTaken)}. Уже потрачено и\u00a0снять нельзя: ${countStars(missing)}.`;
}

const DRIFTS: Record<GarmentDrift, string> = { colour: 'цвет', print: 'принт' };

/** «Сверка вещи: отличается принт» */
export function describeGarmentCheck({ verdict, drifts }: NonNullable<AdminReport['garmentCheck']>): string {
  const findings = {
    pending: 'ещё идёт',
    kept: 'цвет и принт как на фото',
    drifted: `отличается ${drifts.map((drift) => DRIFTS[drift]).join(' и ')}`,
    not_comparable: 'сравнить не удалось',
  };
  return `Сверка вещи: ${findings[verdict]}`;
}
