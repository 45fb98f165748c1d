import type { Operator } from './contract/operator.ts';
import type { StarPackage } from './contract/payments.ts';
import type { Showcase } from './contract/showcase.ts';
import type { ToolAbilities } from './contract/tools.ts';

/** The data of the public pages that configuration and database determine. */
export interface PublicPageData {
  /** The public address without a trailing slash. */
  origin: string;
  operator: Operator;
  packages: StarPackage[];
  showcase: Showcase;
  tools: ToolAbilities;
}

/** Turns public pages into HTML. The build makes it from the interface, and the server uses it. */
export interface PublicPageRenderer {
  paths: readonly string[];
  /** The complete document of a page. For an unknown path, that of the not-found page. */
  render(path: string, data: PublicPageData): Promise<string>;
}

/** The only export of the built file that the server uses. `document`: the built index.html. */
export type CreatePublicPageRenderer = (document: string) => PublicPageRenderer;
