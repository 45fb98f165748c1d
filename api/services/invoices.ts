import type { AppContext } from '#api/app-context.ts';
import { findViolatedConstraint, type Tx } from '#api/db.ts';
import { AppError } from '#api/errors.ts';
import type { Payment } from '#prisma/generated/client.ts';
import type { Invoice } from '#shared/contract/payments.ts';
import { assertNotLeaving } from './account-deletion.ts';
import { checkPayment, PROVIDER_MEMORY_MS } from './check-payment.ts';
import { buildReturnUrl, openInvoice } from './open-invoice.ts';
import { findPackageForSale } from './star-packages.ts';
import { lockBalance } from './stars.ts';
import { isUuid } from './uuid.ts';

const KEY_CONSTRAINT = 'payments_account_id_idempotency_key_key';
/** The page that waits for a payment polls; the provider is asked for it this often at the most. */
const REFRESH_MS = 10_000;
/** Of one account, waiting to be paid. */
const OPEN_INVOICES_MAX = 10;

interface InvoiceRequest {
  accountId: number;
  packageId: number;
  /** Given by the client; the same key with the same package answers the same invoice. */
  idempotencyKey: string | null;
  /** The price that the buyer has seen; null when the client does not say. */
  agreedKopecks?: number | null;
}

/**
 * Writes the invoice down and opens it at the provider. One that could not be opened stays, and the same key goes on
 * with it; one that is decided leads to its result. Throws AppError package_unknown, price_changed, deletion_asked,
 * too_many_invoices, idempotency_key_reused, payment_not_created.
 */
export async function createInvoice(
  app: AppContext,
  request: InvoiceRequest,
): Promise<{ paymentUrl: string; invoiceId: string }> {
  const invoice = (await findRepeated(app, request)) ?? (await writeInvoice(app, request));
  if (invoice.packageId !== request.packageId) throw new AppError('idempotency_key_reused');
  const isDecided = invoice.status !== 'pending' && invoice.providerPaymentId !== null;
  if (isDecided) return { paymentUrl: buildReturnUrl(app, invoice.id), invoiceId: invoice.id };
  assertAgreed(request, invoice.amountKopecks);
  if (invoice.paymentUrl) return { paymentUrl: invoice.paymentUrl, invoiceId: invoice.id };
  try {
    return { paymentUrl: await openInvoice(app, invoice), invoiceId: invoice.id };
  } catch (error) {
    app.log.error({ err: error, paymentId: invoice.id }, 'an invoice could not be opened');
    throw new AppError('payment_not_created');
  }
}

/** Nobody is led to pay a price that they have not seen. */
function assertAgreed({ agreedKopecks }: InvoiceRequest, priceKopecks: number): void {
  if (agreedKopecks == null || agreedKopecks === priceKopecks) return;
  throw new AppError('price_changed', {
    message: 'Цена пакета изменилась. Проверьте новую цену и перейдите к оплате снова',
  });
}

async function findRepeated(app: AppContext, { accountId, idempotencyKey }: InvoiceRequest): Promise<Payment | null> {
  if (idempotencyKey === null) return null;
  return app.db.payment.findUnique({ where: { accountId_idempotencyKey: { accountId, idempotencyKey } } });
}

async function writeInvoice(app: AppContext, request: InvoiceRequest): Promise<Payment> {
  const { accountId, packageId, idempotencyKey } = request;
  await assertNotLeaving(app.db, accountId);
  const starPackage = await findPackageForSale(app, packageId);
  if (!starPackage) throw new AppError('package_unknown');
  assertAgreed(request, starPackage.priceKopecks);
  try {
    return await app.db.$transaction(async (tx) => {
      await lockBalance(tx, accountId);
      await assertFewOpen(app, tx, accountId);
      return tx.payment.create({
        data: {
          accountId,
          provider: app.payments.name,
          packageId,
          packageName: starPackage.name,
          stars: starPackage.stars,
          amountKopecks: starPackage.priceKopecks,
          isTest: app.payments.isTest,
          idempotencyKey,
        },
      });
    });
  } catch (error) {
    // The same request, sent twice at once.
    const rival = findViolatedConstraint(error) === KEY_CONSTRAINT && (await findRepeated(app, request));
    if (rival) return rival;
    throw error;
  }
}

/** Each is asked about again and again until it is decided; providers close an unpaid one after an hour. */
async function assertFewOpen(app: AppContext, tx: Tx, accountId: number): Promise<void> {
  const open = await tx.payment.count({
    where: {
      ...{ accountId, status: 'pending', provider: app.payments.name },
      createdAt: { gt: new Date(Date.now() - PROVIDER_MEMORY_MS) },
    },
  });
  if (open >= OPEN_INVOICES_MAX) throw new AppError('too_many_invoices');
}

/**
 * What became of an invoice. While it is pending the provider is asked now and then, so that a notification which is late
 * is not waited for. Throws AppError invoice_not_found.
 */
export async function getInvoice(app: AppContext, invoiceId: string): Promise<Invoice> {
  const find = () => app.db.payment.findUnique({ where: { id: invoiceId } });
  const payment = isUuid(invoiceId) ? await find() : null;
  if (!payment) throw new AppError('invoice_not_found');
  if (payment.status !== 'pending' || !(await mayAsk(app, payment))) return presentInvoice(payment);
  try {
    await checkPayment(app, payment);
  } catch (error) {
    app.log.warn({ err: error, paymentId: payment.id }, 'a payment could not be looked up');
  }
  return presentInvoice((await find()) ?? payment);
}

/** The newest invoice of an account on the site; null when it has none. */
export async function findLastInvoice(app: AppContext, accountId: number): Promise<Invoice | null> {
  const payment = await app.db.payment.findFirst({
    where: { accountId, currency: 'RUB' },
    orderBy: { createdAt: 'desc' },
  });
  return payment && presentInvoice(payment);
}

/** Of several pages that ask at once, one goes to the provider. */
async function mayAsk(app: AppContext, payment: Payment): Promise<boolean> {
  if (!payment.providerPaymentId || payment.provider !== app.payments.name) return false;
  const askedBefore = new Date(Date.now() - REFRESH_MS);
  const { count } = await app.db.payment.updateMany({
    where: {
      id: payment.id,
      OR: [{ checkedAt: null, createdAt: { lt: askedBefore } }, { checkedAt: { lt: askedBefore } }],
    },
    data: { checkedAt: new Date() },
  });
  return count === 1;
}

function presentInvoice(payment: Payment): Invoice {
  return {
    id: payment.id,
    status: payment.status,
    packageName: payment.packageName,
    stars: payment.stars,
    amountRub: payment.amountKopecks / 100,
    createdAt: payment.createdAt.toISOString(),
  };
}
