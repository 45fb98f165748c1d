import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError, describeError } from '#pwa/client/api-error.ts';
import { createStartIntent } from '#pwa/client/start-intent.ts';
import { toast } from '#pwa/components/toast.ts';
import { logUserAction } from '#pwa/device/log.ts';
import { trackError } from '#pwa/features/consent/error-reporting.ts';
import { recordServerEvent } from '#pwa/features/consent/server-events.ts';
import { buyStarsRequest, closeBuyStars } from '#pwa/features/generations/buy-stars.ts';
import { withoutDownload } from '#pwa/features/generations/wanted-download.ts';
import { readSessionMarker } from '#pwa/features/session/session-marker.ts';
import { AGREED_PRICE_HEADER, IDEMPOTENCY_KEY_HEADER } from '#shared/contract/generations.ts';
import { createInvoice, type StarPackage } from '#shared/contract/payments.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { resolvePaymentUrl } from './payment-address.ts';
import { INVOICE_ANSWER_MESSAGES, PAYMENT_TEXTS } from './payment-texts.ts';
import { paymentProvidersQuery, starPackagesQuery } from './star-packages.ts';
import { useRememberPlace } from './use-payment-return.ts';

const TIMEOUT_MS = 30_000;
/** After this time the browser has left the page, or never will. */
const LEAVING_MAX_MS = 15_000;

/** One for the tab: a try after closing the dialog on an error is still the same purchase. */
const intent = createStartIntent();

/** What the buyer has chosen. */
export interface Purchase {
  item: StarPackage;
  /** The payment provider. Undefined while the list of providers is unknown. The server then takes the default one. */
  provider: string | undefined;
}

/**
 * Creates an invoice for the shown price and opens its payment page. After an error the same package is retried with
 * the same Idempotency-Key. If packages or prices have changed, they are fetched again before the next try.
 */
export function useStartPayment() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const rememberPlace = useRememberPlace();
  const payment = useMutation({
    mutationFn: async ({ item: { id: packageId, priceRub }, provider }: Purchase) => {
      const body = { packageId, ...(provider ? { provider } : {}) };
      const agreedPrice = String(Math.round(priceRub * 100));
      const userId = readSessionMarker()?.userId ?? null;
      const { paymentUrl, invoiceId } = await callApi(
        createInvoice,
        { body },
        {
          headers: {
            [IDEMPOTENCY_KEY_HEADER]: intent.keyFor({ ...body, agreedPrice, userId }),
            [AGREED_PRICE_HEADER]: agreedPrice,
          },
          messages: INVOICE_ANSWER_MESSAGES,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
      );
      const address = resolvePaymentUrl(paymentUrl, location.href);
      if (address === null) throw new ApiError(500, INVOICE_ANSWER_MESSAGES.invalid);
      await rememberPlace(invoiceId);
      return address;
    },
    onMutate: ({ item: { id, stars, priceRub } }) => {
      logUserAction('purchase_stars');
      recordServerEvent({
        event_name: 'buy_stars_checkout_started',
        details: { packageId: id, stars, valueRub: priceRub },
      });
    },
    onSuccess: (address) => {
      intent.settle();
      keepShownResult();
      location.assign(address);
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.code === 'email_not_verified') {
        const next = buyStarsRequest.get()?.wayBack?.path ?? pathname + search;
        closeBuyStars();
        toast({ title: PAYMENT_TEXTS.error, description: describePaymentError(error), tone: 'danger' });
        void navigate(`${PATHS.verifyEmail}?${new URLSearchParams({ next })}`);
        return;
      }
      // The key belongs to an invoice that cannot be repeated, so the next try is a new purchase.
      if (error instanceof ApiError && error.code === 'idempotency_key_reused') intent.settle();
      const message = describePaymentError(error);
      toast({ title: PAYMENT_TEXTS.error, description: message, tone: 'danger' });
      recordServerEvent({ event_name: 'payment_creation_failed', details: { message } });
      trackError('payment_creation', message);
      if (isSoldOtherwise(error)) await queryClient.invalidateQueries({ queryKey: starPackagesQuery.queryKey });
      if (error instanceof ApiError && error.code === 'payment_provider_unknown') {
        await queryClient.invalidateQueries({ queryKey: paymentProvidersQuery.queryKey });
      }
    },
  });

  // Two presses may come before the page has drawn that the first one counts.
  const isStarted = useRef(false);
  const { mutate, reset: resetPayment } = payment;
  const reset = useCallback(() => {
    isStarted.current = false;
    resetPayment();
  }, [resetPayment]);
  useReturn(payment.isSuccess, reset);

  return {
    pay(purchase: Purchase) {
      if (isStarted.current) return;
      isStarted.current = true;
      mutate(purchase, { onError: () => (isStarted.current = false) });
    },
    isPaying: payment.isPending || payment.isSuccess,
    /** The package as it was shown, if its price has changed. */
    repriced: isSoldOtherwise(payment.error) ? (payment.variables?.item ?? null) : null,
  };
}

/** Puts the result whose download is bought into this page's address, so that «Back» shows it and not an empty tool. */
function keepShownResult(): void {
  const wayBack = buyStarsRequest.get()?.wayBack;
  if (wayBack) history.replaceState(history.state, '', withoutDownload(wayBack).path);
}

/** Makes the dialog usable again for a buyer who has come back from the payment page. */
function useReturn(hasLeft: boolean, reset: () => void): void {
  useEffect(() => {
    if (!hasLeft) return;
    // The payment page may open beside this one, and «Back» may restore this one as it was.
    const onReturn = () => {
      if (document.visibilityState === 'visible') reset();
    };
    const timer = setTimeout(reset, LEAVING_MAX_MS);
    addEventListener('pageshow', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    return () => {
      clearTimeout(timer);
      removeEventListener('pageshow', onReturn);
      document.removeEventListener('visibilitychange', onReturn);
    };
  }, [hasLeft, reset]);
}

/** Whether the shown packages are not those for sale any more. */
function isSoldOtherwise(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'price_changed' || error.code === 'package_unknown');
}

/** Why no invoice was created. */
export function describePaymentError(error: unknown): string {
  const text = describeError(error, PAYMENT_TEXTS.notCreated);
  return error instanceof ApiError && error.status === 0 ? `${PAYMENT_TEXTS.notCreated}. ${text}` : text;
}
