import * as z from 'zod/mini';
import type { ReportDecision } from '#shared/rules/result-reports.ts';
import { ownPassword } from './account.ts';
import { defineEndpoint } from './endpoint.ts';
import { pageCursor } from './ids.ts';
import { INVOICE_STATUSES } from './payments.ts';
import { CURRENCIES, type Currency, STAR_ENTRY_KINDS } from './stars.ts';

export const ADMIN_PAGE_SIZE = 50;
export const CORRECTION_MAX_STARS = 10_000;

const page = { cursor: pageCursor };
const byId = z.object({ id: z.string().check(z.maxLength(64)) });
const reason = z.string().check(z.trim(), z.minLength(3, 'Укажите причину'), z.maxLength(300));

/** Refusals of what moves money or stars, until the administrator has confirmed the session. */
export const CONFIRMATION_ERRORS = ['second_factor_required', 'confirmation_required'] as const;

/** Six digits of the app, or a recovery code. */
const secondFactorCode = z
  .string('Введите код из приложения')
  .check(z.trim(), z.minLength(6, 'Введите код из приложения'), z.maxLength(40, 'Введите код из приложения'));

const secondFactorState = z.object({
  isSetUp: z.boolean(),
  /** Until when this session may move money and stars. Null: it has to be confirmed first. */
  confirmedUntil: z.nullable(z.iso.datetime()),
  recoveryCodesLeft: z.int(),
});
export type SecondFactorState = z.infer<typeof secondFactorState>;

export const getSecondFactor = defineEndpoint({
  method: 'GET',
  path: '/api/admin/second-factor',
  summary: 'Whether the administrator’s second factor is set up, and how long this session is confirmed',
  access: 'admin',
  answer: secondFactorState,
});
export const beginSecondFactor = defineEndpoint({
  method: 'POST',
  path: '/api/admin/second-factor',
  summary: 'Begins to set up the second factor (RFC 6238); a repeat makes another secret',
  access: 'admin',
  body: z.object({ password: ownPassword }),
  answer: z.object({
    /** In base32, to be typed into the app. */
    secret: z.string(),
    address: z.string(),
  }),
  errors: ['wrong_password', 'second_factor_exists', 'too_many_requests'],
});
export const finishSecondFactor = defineEndpoint({
  method: 'POST',
  path: '/api/admin/second-factor/confirm',
  summary: 'Ends setting up with a first code, confirms the session and tells the recovery codes once',
  access: 'admin',
  body: z.object({ code: secondFactorCode }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['second_factor_required', 'second_factor_exists', 'second_factor_code_wrong', 'too_many_requests'],
});
export const confirmAdministrator = defineEndpoint({
  method: 'POST',
  path: '/api/admin/confirmation',
  summary: 'Confirms this session for fifteen minutes, by the password and a code that is used once',
  access: 'admin',
  body: z.object({ password: ownPassword, code: secondFactorCode }),
  errors: ['second_factor_required', 'wrong_password', 'second_factor_code_wrong', 'too_many_requests'],
});

export const REFUND_STATUSES = ['pending', 'succeeded', 'canceled'] as const;
export const adminRefund = z.object({
  id: z.uuid(),
  status: z.enum(REFUND_STATUSES),
  amountRub: z.number(),
  /** Stars that this money had bought, and how many of them were unspent and were taken back. */
  stars: z.int(),
  starsTaken: z.int(),
  reason: z.string(),
  createdAt: z.iso.datetime(),
});

export const adminPayment = z.object({
  id: z.uuid(),
  account: z.object({
    id: z.int(),
    email: z.string(),
    balance: z.int(),
  }),
  provider: z.string(),
  providerPaymentId: z.nullable(z.string()),
  status: z.enum(INVOICE_STATUSES),
  packageName: z.string(),
  stars: z.int(),
  /** In the payment's currency. */
  amountRub: z.number(),
  currency: z.enum(CURRENCIES),
  refundedRub: z.number(),
  isTest: z.boolean(),
  cancellationReason: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  paidAt: z.nullable(z.iso.datetime()),
  refunds: z.array(adminRefund),
});
export type AdminPayment = z.infer<typeof adminPayment>;

export const listPayments = defineEndpoint({
  method: 'GET',
  path: '/api/admin/payments',
  summary: 'Payments of everybody, newest first',
  access: 'admin',
  query: z.object({
    ...page,
    status: z.optional(z.enum(INVOICE_STATUSES)),
    accountId: z.optional(z.coerce.number().check(z.int())),
  }),
  answer: z.object({ payments: z.array(adminPayment), nextCursor: z.nullable(z.string()) }),
});

/** Takes an Idempotency-Key. Without an amount, everything that is not refunded yet is refunded. */
export const refundPayment = defineEndpoint({
  method: 'POST',
  path: '/api/admin/payments/:id/refund',
  summary: 'Gives money back; unspent stars of the purchase leave the balance',
  access: 'admin',
  params: byId,
  body: z.object({ reason, amountRub: z.optional(z.number().check(z.positive(), z.multipleOf(0.01))) }),
  answer: z.extend(adminRefund, {
    /** Spent stars, which could not be taken back. */
    starsMissing: z.int(),
  }),
  errors: [...CONFIRMATION_ERRORS, 'payment_not_found', 'refund_impossible', 'refund_failed', 'idempotency_key_reused'],
});

export const adminUser = z.object({
  id: z.int(),
  /** The person's name in Telegram for an account without an e-mail. */
  email: z.string(),
  username: z.string(),
  isEmailVerified: z.boolean(),
  isPremium: z.boolean(),
  balance: z.int(),
  createdAt: z.iso.datetime(),
});
export type AdminUser = z.infer<typeof adminUser>;

export const listUsers = defineEndpoint({
  method: 'GET',
  path: '/api/admin/users',
  summary: 'Accounts, newest first; `search` is a part of the e-mail or name, or the id',
  access: 'admin',
  query: z.object({
    ...page,
    search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  }),
  answer: z.object({ users: z.array(adminUser), nextCursor: z.nullable(z.string()) }),
});

export const correctStars = defineEndpoint({
  method: 'POST',
  path: '/api/admin/users/:id/correction',
  summary: 'Adds or takes stars by hand',
  access: 'admin',
  params: z.object({ id: z.coerce.number().check(z.int()) }),
  body: z.object({
    delta: z.int().check(
      z.minimum(-CORRECTION_MAX_STARS),
      z.maximum(CORRECTION_MAX_STARS),
      z.refine((delta) => delta !== 0, 'Укажите число звёзд, не ноль'),
    ),
    reason,
  }),
  answer: z.object({ balance: z.int() }),
  errors: [...CONFIRMATION_ERRORS, 'account_not_found', 'correction_overdraws', 'idempotency_key_reused'],
});

export const adminInterviewRequest = z.object({
  id: z.uuid(),
  accountId: z.int(),
  name: z.string(),
  email: z.string(),
  telegram: z.string(),
  createdAt: z.iso.datetime(),
  grantedAt: z.nullable(z.iso.datetime()),
});
export type AdminInterviewRequest = z.infer<typeof adminInterviewRequest>;

export const listInterviewRequests = defineEndpoint({
  method: 'GET',
  path: '/api/admin/interview-requests',
  summary: 'Who wants to be interviewed, newest first',
  access: 'admin',
  query: z.object(page),
  answer: z.object({ requests: z.array(adminInterviewRequest), nextCursor: z.nullable(z.string()) }),
});

export const grantInterviewBonus = defineEndpoint({
  method: 'POST',
  path: '/api/admin/interview-requests/:id/grant',
  summary: 'Gives the stars for an interview; a second time changes nothing',
  access: 'admin',
  params: byId,
  answer: adminInterviewRequest,
  errors: [...CONFIRMATION_ERRORS, 'interview_request_not_found'],
});

/** The details that the audit stores for each action. */
export interface AuditDetails {
  refund_requested: {
    paymentId: string;
    /** In the payment's currency. */
    amountRub: number;
    currency: Currency;
    stars: number;
    starsTaken: number;
    reason: string;
  };
  stars_corrected: { delta: number; reason: string; balance: number };
  interview_granted: { requestId: string; stars: number };
  package_changed: {
    change: 'added' | 'edited' | 'removed' | 'restored';
    packageId: number;
    name: string;
    stars: number;
    priceRub: number;
    priceXtr: number | null;
  };
  admin_role_changed: { change: 'granted' | 'revoked' };
  /** `tool`: a kind of generation, or null for all of them. */
  engine_trial_requested: { engine: string; tool: string | null; cause: string };
  report_closed: { reportId: string; decision: ReportDecision; stars: number };
  star_charge_unmatched: ChargeDetails & {
    /** The invoice that Telegram names. It may not be ours. */
    invoice: string;
    reason: string;
  };
  star_charge_returned: ChargeDetails;
}
// A type, because an interface would not be assignable to JSON.
type ChargeDetails = {
  chargeId: string;
  amountRub: number;
  currency: Currency;
};
export type AuditAction = keyof AuditDetails;

export const auditEntry = z.object({
  id: z.string(),
  /** E-mail of the administrator. Null for an operator's command and for automatic actions. */
  admin: z.nullable(z.string()),
  action: z.string(),
  accountId: z.nullable(z.int()),
  details: z.record(z.string(), z.unknown()),
  createdAt: z.iso.datetime(),
});

export const listAuditEntries = defineEndpoint({
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'What administrators did, newest first',
  access: 'admin',
  query: z.object(page),
  answer: z.object({ entries: z.array(auditEntry), nextCursor: z.nullable(z.string()) }),
});

export const adminStarEntry = z.object({
  id: z.string(),
  kind: z.enum(STAR_ENTRY_KINDS),
  delta: z.int(),
  note: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
});

export const listUserStars = defineEndpoint({
  method: 'GET',
  path: '/api/admin/users/:id/stars',
  summary: 'Newest rows of an account’s ledger',
  access: 'admin',
  params: z.object({ id: z.coerce.number().check(z.int()) }),
  answer: z.object({ entries: z.array(adminStarEntry) }),
  errors: ['account_not_found'],
});
