import { useSearchParams } from 'react-router-dom';
import { PRODUCT_PARAMETER } from '#pwa/paths.ts';
import { ProductList } from './products-page/product-list.tsx';
import { ProductView } from './products-page/product-view.tsx';

/** The products of the account, or the one that the address names. */
export default function ProductsPage() {
  const id = useSearchParams()[0].get(PRODUCT_PARAMETER);
  return id === null ? <ProductList /> : <ProductView key={id} id={id} />;
}
