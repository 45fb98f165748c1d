import type { FastifyInstance } from 'fastify';
import { getCallerAddress } from '#api/plugins/caller-address.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
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
import { bindEndpoint, bindWebhook } from './bind-endpoint.ts';
import { readAgreedPrice, readIdempotencyKey } from './request-headers.ts';

/** Packages, invoices and the webhook of the providers. */
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
        provider: body.provider,
      }),
    { limit: REQUEST_LIMITS.invoice },
  );
  bindEndpoint(server, contract.getInvoice, ({ account, params }) => getInvoice(app, account?.id ?? null, params.id), {
    limit: REQUEST_LIMITS.invoiceLookup,
  });
  bindEndpoint(server, contract.getLastInvoice, async ({ account }) => ({
    invoice: await findLastInvoice(app, account.id),
  }));
  bindEndpoint(server, contract.listUnpaidInvoices, async ({ account }) => ({
    invoices: await listUnpaidInvoices(app, account.id),
  }));
  bindEndpoint(server, contract.dismissInvoice, ({ account, params }) => dismissInvoice(app, account.id, params.id));
  bindEndpoint(server, contract.listPaymentProviders, async () => ({
    providers: app.payments.offered.map(({ name }) => name),
  }));
  bindWebhook(server, contract.receivePaymentNotification, async ({ params, request, reply }, body) => {
    const { headers } = request;
    const notification = { headers, address: getCallerAddress(request), body };
    const answer = await receiveNotification(app, params.provider, notification);
    if (answer.contentType) reply.type(answer.contentType);
    return reply.code(answer.status).send(answer.body);
  });
}

/** Warns about sample prices and test payments, which an open shop should not have. */
async function warnOfSamples(app: AppContext): Promise<void> {
  if (!app.config.isProduction) return;
  const packages = await countSamplePackages(app);
  if (packages > 0) app.log.warn({ packages }, 'packages are for sale at sample prices; see npm run packages');
  for (const { name: provider } of app.payments.offered.filter(({ isTest }) => isTest)) {
    app.log.warn({ provider }, 'the keys are a test shop’s: stars are sold without money');
  }
}
