import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { assignProduct } from '#api/services/gallery/assign-product.ts';
import {
  changeProduct,
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
} from '#api/services/products/products.ts';
import {
  assignProduct as assignProductEndpoint,
  changeProduct as changeProductEndpoint,
  createProduct as createProductEndpoint,
  deleteProduct as deleteProductEndpoint,
  getProduct as getProductEndpoint,
  listProducts as listProductsEndpoint,
} from '#shared/contract/products.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** Products, and which photos and results belong to them. */
export function addProductRoutes(server: FastifyInstance, app: AppContext): void {
  const limit = { limit: REQUEST_LIMITS.products };
  bindEndpoint(server, listProductsEndpoint, ({ account, query }) => listProducts(app, account.id, query), {
    searchLimit: REQUEST_LIMITS.search,
  });
  bindEndpoint(server, getProductEndpoint, ({ account, params }) => getProduct(app, account.id, params.id));
  bindEndpoint(server, createProductEndpoint, ({ account, body }) => createProduct(app, account.id, body), limit);
  bindEndpoint(
    server,
    changeProductEndpoint,
    ({ account, params, body }) => changeProduct(app, account.id, params.id, body),
    limit,
  );
  bindEndpoint(server, deleteProductEndpoint, ({ account, params }) => deleteProduct(app, account.id, params.id));
  bindEndpoint(server, assignProductEndpoint, ({ account, body }) => assignProduct(app, account.id, body), limit);
}
