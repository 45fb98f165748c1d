import type {
  NotificationAnswer,
  NotificationRequest,
  PaymentNotification,
  PaymentProvider,
} from '#api/adapters/payments/payment-provider.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { confirmPayment } from './confirm-payment.ts';
import { handleRefundNotification } from './external-refunds.ts';

/**
 * Handles a notification as a hint: the facts are read from the provider and booked. Returns the answer that the
 * provider expects. `name`: from the address that it was sent to. Throws AppError route_not_found, forbidden,
 * invalid_request when it is not a notification for us, and unavailable when the provider could not be asked, so that
 * it is sent again.
 */
export async function receiveNotification(
  app: AppContext,
  name: string,
  request: NotificationRequest,
): Promise<NotificationAnswer> {
  const provider = app.payments.find(name);
  const log = app.log.child({ provider: name, address: request.address });
  if (!provider?.notifications) {
    log.warn('a payment notification for a provider that has no settings');
    throw new AppError('route_not_found');
  }
  const read = provider.notifications.read(request);
  if ('refusal' in read) {
    const isForeign = read.refusal === 'sender';
    log.warn(isForeign ? 'a payment notification from somebody else' : 'a payment notification that cannot be read');
    throw new AppError(isForeign ? 'forbidden' : 'invalid_request');
  }
  const { notification, answer } = read;
  try {
    await app.state.semaphores.notificationsOfPayment.run(`${name} ${identify(notification)}`, () =>
      bookNotification(app, provider, notification),
    );
  } catch (error) {
    log.error({ err: error, notification }, 'a payment notification could not be booked');
    throw new AppError('unavailable');
  }
  return answer;
}

function identify(notification: PaymentNotification): string {
  if (notification.about === 'nothing') return 'nothing';
  if (notification.about === 'payment') return `payment ${notification.providerPaymentId}`;
  return `refund ${notification.providerPaymentId} ${notification.providerRefundId}`;
}

async function bookNotification(
  app: AppContext,
  provider: PaymentProvider,
  notification: PaymentNotification,
): Promise<void> {
  const log = app.log.child({ provider: provider.name, notification });
  if (notification.about === 'nothing') {
    log.info('a payment notification of no concern');
    return;
  }
  if (notification.about === 'refund') {
    await handleRefundNotification(app, provider, notification);
    return;
  }
  const { providerPaymentId } = notification;
  const booked = await app.db.payment.findUnique({
    where: { provider_providerPaymentId: { provider: provider.name, providerPaymentId } },
  });
  if (booked?.status === 'succeeded') {
    log.info('payment was booked before');
    return;
  }
  const providerPayment = await provider.checkout?.fetch(providerPaymentId);
  if (providerPayment) await confirmPayment(app, provider.name, providerPayment);
  else log.warn('a notification of a payment that the provider does not know');
}
