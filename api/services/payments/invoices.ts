import type { PaymentProvider } from '#api/adapters/payments/payment-provider.ts';
import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import type { Tx } from '#api/database/database.ts';
import { isDatabaseFault } from '#api/database/faults.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import { assertDeletionNotRequested } from '#api/services/accounts/deletion.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { refuseUnknown, requireOwn } from '#api/services/core/ownership.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import { findPackageForSale } from '#api/services/stars/packages.ts';
import type { Payment, Prisma, StarPackage } from '#prisma/generated/client.ts';
import type { Invoice, LookedUpInvoice } from '#shared/contract/payments.ts';
import { checkPayment, PROVIDER_MEMORY_MS } from './check-payment.ts';
import { buildReturnUrl, openInvoice } from './open-invoice.ts';

/** Shortest pause between two questions about one payment. Pages poll every two seconds, possibly in several tabs. */
const REFRESH_MS = 1500;
/**
 * Longest wait for the provider's answer while a client waits for ours. The result page gives up after 10 seconds. The
 * dialog gives up after 30, of which opening an invoice may take another 15.
 */
const INQUIRY_MS = 7000;
const OPEN_INVOICES_MAX = 10;
/** A link is handed out again only if at least this much time is left to pay. */
const PAYING_TIME_MS = 5 * 60_000;
/** An invoice whose opening was not answered is reused for this long, because its link may already exist. */
const UNANSWERED_REUSE_MS = 30 * 60_000;

interface InvoiceRequest {
  accountId: number;
  packageId: number;
  /** Set by the client. The same key with the same package returns the same invoice. */
  idempotencyKey: string | null;
  /** The price that the buyer has seen. Null when the client does not say. */
  agreedKopecks?: number | null;
  provider?: string | undefined;
}

/**
 * Creates an invoice and opens it at the provider, or continues with an unpaid one for the same package. One that is
 * decided leads to its result. Throws AppError package_unknown, payment_provider_unknown, price_changed,
 * deletion_asked, too_many_invoices, idempotency_key_reused, payment_not_created; the same key then continues it.
 */
export async function createInvoice(
  app: AppContext,
  request: InvoiceRequest,
): Promise<{ paymentUrl: string; invoiceId: string }> {
  const { accountId, idempotencyKey } = request;
  const invoice = (await findInvoiceByKey(app.db, accountId, idempotencyKey)) ?? (await takeInvoice(app, request));
  const isOther =
    invoice.packageId !== request.packageId || invoice.provider !== (request.provider ?? invoice.provider);
  if (isOther) throw new AppError('idempotency_key_reused');
  const isDecided = invoice.status !== 'pending' && invoice.providerPaymentId !== null;
  if (isDecided) return { paymentUrl: buildReturnUrl(app, invoice.id), invoiceId: invoice.id };
  assertAgreed(request, invoice.amountMinor);
  // The invoice was dismissed, but its own key asks for it again. It belongs on the list again.
  if (invoice.dismissedAt) await app.db.payment.update({ where: { id: invoice.id }, data: { dismissedAt: null } });
  if (invoice.paymentUrl) return { paymentUrl: invoice.paymentUrl, invoiceId: invoice.id };
  try {
    return { paymentUrl: await openInvoice(app, invoice), invoiceId: invoice.id };
  } catch (error) {
    // The provider is not to blame. The same key continues the invoice.
    if (isDatabaseFault(error)) throw error;
    app.log.error({ err: error, paymentId: invoice.id }, 'an invoice could not be opened');
    throw new AppError('payment_not_created');
  }
}

/** Nobody may be asked to pay a price that they have not seen. */
function assertAgreed({ agreedKopecks }: InvoiceRequest, priceKopecks: number): void {
  if (agreedKopecks == null || agreedKopecks === priceKopecks) return;
  throw new AppError('price_changed', {
    message: 'Цена пакета изменилась. Проверьте новую цену и перейдите к оплате снова',
  });
}

async function takeInvoice(app: AppContext, request: InvoiceRequest): Promise<Payment> {
  const { accountId, packageId, idempotencyKey: key } = request;
  await assertDeletionNotRequested(app.db, accountId);
  const starPackage = await findPackageForSale(app, packageId);
  if (!starPackage) throw new AppError('package_unknown');
  assertAgreed(request, starPackage.priceKopecks);
  const provider = chooseProvider(app, request.provider);
  const paid = await findJustPaid(app, accountId, starPackage, provider);
  return commitWithOutcomeCheck(app.db, async (tx) => {
    // Of two tabs, or two repeats of a request, the second finds what the first has written.
    await lockBalance(tx, accountId);
    const repeated = await findInvoiceByKey(tx, accountId, key);
    if (repeated) return repeated;
    const waiting = paid ?? (await findWaiting(tx, accountId, starPackage, provider));
    const invoice = waiting ?? (await writeInvoice(app, tx, accountId, starPackage, provider));
    if (key !== null) await tx.invoiceKey.create({ data: { paymentId: invoice.id, key } });
    return invoice;
  });
}

function chooseProvider(app: AppContext, name?: string): PaymentProvider {
  const [usual] = app.payments.offered;
  const chosen = name === undefined ? usual : app.payments.offered.find((one) => one.name === name);
  if (!chosen) throw new AppError('payment_provider_unknown');
  return chosen;
}

/** Returns the invoice if it has just been paid: the buyer does not know that yet and must not pay twice. */
async function findJustPaid(
  app: AppContext,
  accountId: number,
  starPackage: StarPackage,
  provider: PaymentProvider,
): Promise<Payment | null> {
  const waiting = await findWaiting(app.db, accountId, starPackage, provider);
  if (!waiting?.providerPaymentId) return null;
  if (await mayAsk(app, waiting)) await askProvider(app, waiting);
  return app.db.payment.findFirst({ where: { id: waiting.id, status: 'succeeded' } });
}

/** An unpaid invoice for the same package at its current price that can still be paid. */
function findWaiting(
  db: Pick<Tx, 'payment'>,
  accountId: number,
  { id: packageId, name: packageName, stars, priceKopecks: amountMinor }: StarPackage,
  { name: provider, isTest }: PaymentProvider,
): Promise<Payment | null> {
  const now = Date.now();
  return db.payment.findFirst({
    where: {
      accountId,
      status: 'pending',
      provider,
      isTest,
      packageId,
      packageName,
      stars,
      amountMinor,
      dismissedAt: null,
      OR: [
        { payableUntil: { gt: new Date(now + PAYING_TIME_MS) } },
        { providerPaymentId: null, createdAt: { gt: new Date(now - UNANSWERED_REUSE_MS) } },
      ],
    },
    orderBy: { createdAt: 'desc' },
  });
}

async function writeInvoice(
  app: AppContext,
  tx: Tx,
  accountId: number,
  starPackage: StarPackage,
  provider: PaymentProvider,
): Promise<Payment> {
  await assertFewOpen(app, tx, accountId);
  return tx.payment.create({
    data: {
      accountId,
      provider: provider.name,
      packageId: starPackage.id,
      packageName: starPackage.name,
      stars: starPackage.stars,
      amountMinor: starPackage.priceKopecks,
      isTest: provider.isTest,
    },
  });
}

/** Each open invoice is checked repeatedly until it is decided. Providers close an unpaid one after an hour. */
async function assertFewOpen(app: AppContext, tx: Tx, accountId: number): Promise<void> {
  const createdAt = { gt: new Date(Date.now() - PROVIDER_MEMORY_MS) };
  const open = await tx.payment.count({ where: { ...matchPending(app, accountId), createdAt } });
  if (open >= OPEN_INVOICES_MAX) throw new AppError('too_many_invoices');
}

/** Buyers are not sent to providers that are no longer offered, and the bot has its own invoices. */
function matchPending(app: AppContext, accountId: number) {
  const provider = { in: app.payments.offered.map(({ name }) => name) };
  return { accountId, status: 'pending', provider } satisfies Prisma.PaymentWhereInput;
}

export async function listUnpaidInvoices(app: AppContext, accountId: number): Promise<Invoice[]> {
  const payments = await app.db.payment.findMany({
    where: { ...matchPending(app, accountId), dismissedAt: null, payableUntil: { gt: new Date() } },
    orderBy: { createdAt: 'desc' },
  });
  return payments.map((payment) => presentInvoice(app, payment));
}

/**
 * Dismisses an invoice that the buyer does not want to pay. It is neither listed nor handed out again, unless its
 * original request is repeated. No provider cancels an unpaid invoice, so it can be paid until it expires, and money
 * that arrives is credited as always. Throws AppError invoice_not_found, invoice_forbidden, invoice_paid.
 */
export async function dismissInvoice(app: AppContext, accountId: number, invoiceId: string): Promise<void> {
  const invoice = requireOwn('invoice', accountId, await findInvoice(app, invoiceId));
  if (invoice.currency !== 'RUB') refuseUnknown('invoice');
  const isNews = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const { status, dismissedAt } = await tx.payment.findUniqueOrThrow({ where: { id: invoiceId } });
    if (status === 'succeeded') throw new AppError('invoice_paid');
    if (status === 'canceled' || dismissedAt) return false;
    await tx.payment.update({ where: { id: invoiceId }, data: { dismissedAt: new Date() } });
    return true;
  });
  if (isNews) app.log.info({ action: 'dismiss_invoice', accountId, paymentId: invoiceId }, 'invoice dismissed');
}

/**
 * The state of an invoice. While it is pending the provider is asked, so that the buyer does not depend on a late
 * notification. Without an account the id is enough, because a buyer may return in a browser without the session.
 * Throws AppError invoice_not_found, invoice_forbidden.
 */
export async function getInvoice(
  app: AppContext,
  accountId: number | null,
  invoiceId: string,
): Promise<LookedUpInvoice> {
  const payment = await findInvoice(app, invoiceId);
  if (!payment) return refuseUnknown('invoice');
  return lookUp(app, accountId === null ? payment : requireOwn('invoice', accountId, payment));
}

async function findInvoice(app: AppContext, id: string): Promise<Payment | null> {
  return isUuid(id) ? app.db.payment.findUnique({ where: { id } }) : null;
}

/** The newest invoice of an account on the site, looked up like any other. Null when it has none. */
export async function findLastInvoice(app: AppContext, accountId: number): Promise<LookedUpInvoice | null> {
  const payment = await app.db.payment.findFirst({
    where: { accountId, currency: 'RUB' },
    orderBy: { createdAt: 'desc' },
  });
  return payment && lookUp(app, payment);
}

async function lookUp(app: AppContext, payment: Payment): Promise<LookedUpInvoice> {
  const providerPayment =
    payment.status === 'pending' && (await mayAsk(app, payment)) ? await askProvider(app, payment) : null;
  const known = providerPayment ? await app.db.payment.findUniqueOrThrow({ where: { id: payment.id } }) : payment;
  const isUnpaid = known.status === 'pending' && providerPayment?.awaitsBuyer === true;
  return { ...presentInvoice(app, known), isUnpaid, isDismissed: known.dismissedAt !== null };
}

/** Books the provider's answer. Null when the provider could not be asked or did not answer in time. */
async function askProvider(app: AppContext, payment: Payment) {
  try {
    return await checkPayment(app, payment, AbortSignal.timeout(INQUIRY_MS));
  } catch (error) {
    app.log.warn({ err: error, paymentId: payment.id }, 'a payment could not be looked up');
    return null;
  }
}

/** Whether this request may ask the provider about the payment: at most one per REFRESH_MS may. */
async function mayAsk(app: AppContext, payment: Payment): Promise<boolean> {
  if (!payment.providerPaymentId || !app.payments.find(payment.provider)?.checkout) return false;
  const askedBefore = new Date(Date.now() - REFRESH_MS);
  const { count } = await app.db.payment.updateMany({
    where: { id: payment.id, OR: [{ checkedAt: null }, { checkedAt: { lt: askedBefore } }] },
    data: { checkedAt: new Date() },
  });
  return count === 1;
}

function presentInvoice(app: AppContext, payment: Payment): Invoice {
  const { id, status, provider, packageName, stars, amountMinor, createdAt, dismissedAt } = payment;
  const isOffered = app.payments.offered.some(({ name }) => name === provider);
  const isPayable = status === 'pending' && isOffered && dismissedAt === null;
  const payableUntil =
    isPayable && payment.payableUntil && payment.payableUntil > new Date() ? payment.payableUntil : null;
  return {
    id,
    status,
    packageName,
    stars,
    amountRub: amountMinor / 100,
    createdAt: createdAt.toISOString(),
    paymentUrl: payableUntil && payment.paymentUrl,
    payableUntil: payableUntil?.toISOString() ?? null,
  };
}

/** The invoice that a request with this Idempotency-Key returned. Null for a key that the account has not used. */
export async function findInvoiceByKey(
  db: Pick<Tx, 'payment'>,
  accountId: number,
  key: string | null,
): Promise<Payment | null> {
  if (key === null) return null;
  return db.payment.findFirst({ where: { accountId, keys: { some: { key } } } });
}
