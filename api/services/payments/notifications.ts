import type { PaymentNotification } from '#api/adapters/payments/payment-provider.ts';
import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { confirmPayment } from './confirm-payment.ts';
import { handleRefundNotification } from './external-refunds.ts';

interface ReceivedNotification {
  /** From the address it was sent to. */
  provider: string;
  ip: string;
  body: unknown;
}

/**
 * Takes a notification as a hint only: what it is about is read back from the provider and booked. Throws AppError
 * route_not_found, forbidden, invalid_request for what is no notification to us, and unavailable when the provider
 * could not be asked, so that it is sent again.
 */
export async function receiveNotification(
  app: AppContext,
  { provider, ip, body }: ReceivedNotification,
): Promise<void> {
  if (provider !== app.payments.name) throw new AppError('route_not_found');
  if (!app.payments.isTrustedAddress(ip)) {
    app.log.warn({ provider, ip }, 'a payment notification from a foreign address');
    throw new AppError('forbidden');
  }
  const notification = app.payments.parseNotification(body);
  if (!notification) {
    app.log.warn({ provider, ip }, 'a payment notification that cannot be read');
    throw new AppError('invalid_request');
  }
  try {
    const { isShared } = await app.state.notificationsUnderWay.run(`${provider} ${identify(notification)}`, () =>
      bookNotification(app, notification),
    );
    if (isShared) app.log.info({ provider, notification }, 'payment notification came more than once');
  } catch (error) {
    app.log.error({ err: error, provider, notification }, 'a payment notification could not be booked');
    throw new AppError('unavailable');
  }
}

function identify(notification: PaymentNotification): string {
  if (notification.about === 'refund') return `refund ${notification.providerRefundId}`;
  return notification.about === 'payment' ? `payment ${notification.providerPaymentId}` : 'nothing';
}

async function bookNotification(app: AppContext, notification: PaymentNotification): Promise<void> {
  const log = app.log.child({ provider: app.payments.name, notification });
  if (notification.about === 'nothing') {
    log.info('a payment notification of no concern');
    return;
  }
  if (notification.about === 'refund') {
    await handleRefundNotification(app, notification);
    return;
  }
  const { providerPaymentId } = notification;
  const booked = await app.db.payment.findUnique({
    where: { provider_providerPaymentId: { provider: app.payments.name, providerPaymentId } },
  });
  // Nothing that a notification may say of a payment changes it any more.
  if (booked?.status === 'succeeded') {
    log.info('payment was booked before');
    return;
  }
  const providerPayment = await app.payments.fetch(providerPaymentId);
  if (providerPayment) await confirmPayment(app, app.payments.name, providerPayment);
  else log.warn('a notification of a payment that the provider does not know');
}
