import type { Operator } from './contract/operator.ts';
import type { StarPackage } from './contract/payments.ts';
import type { Showcase } from './contract/showcase.ts';
import type { ToolAbilities } from './contract/tools.ts';

/** What configuration and database decide of the public pages. */
export interface PublicPageData {
  /** The public address without a slash at its end. */
  origin: string;
  operator: Operator;
  packages: StarPackage[];
  showcase: Showcase;
  tools: ToolAbilities;
}

/** Made at build time out of the interface, used by the server: turns public pages into HTML. */
export interface PublicPageRenderer {
  /** Pages that search engines may know. */
  paths: readonly string[];
  /** The whole document of a page; the page for unknown addresses when the path is none of ours. */
  render(path: string, data: PublicPageData): Promise<string>;
}

/** The only export that the server reads from the built file; `document` is the built index.html. */
export type CreatePublicPageRenderer = (document: string) => PublicPageRenderer;
