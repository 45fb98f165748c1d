import type { FastifyInstance } from 'fastify';
import { getCallerAddress } from '#api/plugins/caller-address.ts';
import type { AppContext } from '#api/services/app-context.ts';
import {
  createInvoice,
  dismissInvoice,
  findLastInvoice,
  getInvoice,
  listUnpaidInvoices,
} from '#api/services/payments/invoices.ts';
import { receiveNotification } from '#api/services/payments/notifications.ts';
import { countSamplePackages, listPackagesForSale } from '#api/services/stars/packages.ts';
import * as contract from '#shared/contract/payments.ts';
import { readAgreedPrice } from './agreed-price.ts';
import { bindEndpoint } from './bind-endpoint.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

/** Each is a call to the provider. */
const INVOICE_LIMIT = { max: 60, timeWindow: '1 minute', countsValidOnly: true } as const;
const LOOKUP_LIMIT = { max: 300, timeWindow: '1 minute', per: 'address' } as const;

/** Packages, invoices, and the door that providers knock at. */
export function addPaymentRoutes(server: FastifyInstance, app: AppContext): void {
  server.addHook('onReady', () => warnOfSamples(app));
  bindEndpoint(server, contract.listStarPackages, () => listPackagesForSale(app));
  bindEndpoint(
    server,
    contract.createInvoice,
    ({ account, body, request }) =>
      createInvoice(app, {
        accountId: account.id,
        packageId: body.packageId,
        idempotencyKey: readIdempotencyKey(request),
        agreedKopecks: readAgreedPrice(request, 'kopecks'),
      }),
    { limit: INVOICE_LIMIT },
  );
  bindEndpoint(server, contract.getInvoice, ({ account, params }) => getInvoice(app, account?.id ?? null, params.id), {
    limit: LOOKUP_LIMIT,
  });
  bindEndpoint(server, contract.getLastInvoice, async ({ account }) => ({
    invoice: await findLastInvoice(app, account.id),
  }));
  bindEndpoint(server, contract.listUnpaidInvoices, async ({ account }) => ({
    invoices: await listUnpaidInvoices(app, account.id),
  }));
  bindEndpoint(server, contract.dismissInvoice, async ({ account, params }) => {
    await dismissInvoice(app, account.id, params.id);
    return undefined;
  });
  bindEndpoint(
    server,
    contract.receivePaymentNotification,
    async ({ params, body, request, reply }) => {
      await receiveNotification(app, { provider: params.provider, ip: getCallerAddress(request), body });
      // Providers ask for exactly this status.
      return reply.code(200).send();
    },
    { originCheck: 'never' },
  );
}

/** What a shop that has opened should not have: prices that are nobody's decision, and payments without money. */
async function warnOfSamples(app: AppContext): Promise<void> {
  if (!app.config.isProduction) return;
  const packages = await countSamplePackages(app);
  if (packages > 0) app.log.warn({ packages }, 'packages are for sale at sample prices; see npm run packages');
  if (app.payments.isTest) app.log.warn('the keys are a test shop’s: stars are sold without money');
}
