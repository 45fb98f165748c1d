/** The part of the browser's history that is used here; tests pass their own. */
export type LayerHistory = Pick<History, 'state' | 'pushState' | 'replaceState' | 'back'>;

interface Entry {
  /** The router's index of the entry. Entries of layers over one page share it. */
  page: number | null;
  /** The number of layer entries up to this one; 0 is the page itself. */
  depth: number;
  state: unknown;
  href: string;
}

export interface BackLayers {
  /** Registers a layer over the page: Back then calls `close`. Returns the function that removes the layer. */
  open(close: () => void): () => void;
  /** Call this when the router has navigated. */
  noteMove(): void;
  /** Handles a popstate event. True when it concerned a layer and must not reach the router. */
  handlePop(): boolean;
}

/**
 * Lets the Back button close a layer over the page instead of leaving the page. Each layer gets a history entry with
 * the address and state of the page, so the router does not notice. A layer that is closed in another way leaves its
 * entry behind: the next layer reuses it, and Back skips it. Going back at once would overtake a link that is being
 * followed.
 */
export function createBackLayers(history: LayerHistory, readHref: () => string): BackLayers {
  const layers: (() => void)[] = [];
  let seen = readEntry();

  function readEntry(): Entry {
    const { idx, layerDepth } = (history.state ?? {}) as { idx?: number; layerDepth?: number };
    return { page: idx ?? null, depth: layerDepth ?? 0, state: history.state, href: readHref() };
  }

  function ensureEntries(): void {
    seen = readEntry();
    while (seen.depth < layers.length) {
      history.pushState({ ...(seen.state as object | null), layerDepth: seen.depth + 1 }, '', seen.href);
      seen = readEntry();
    }
  }

  return {
    open(close) {
      layers.push(close);
      ensureEntries();
      return () => {
        layers.splice(layers.indexOf(close), 1);
      };
    },

    noteMove() {
      const { page, depth } = seen;
      seen = readEntry();
      // The router has replaced the state of a layer's entry.
      if (seen.page === page && seen.depth === 0 && depth > 0) {
        history.replaceState({ ...(seen.state as object | null), layerDepth: depth }, '', seen.href);
        seen = readEntry();
      }
    },

    handlePop() {
      const left = seen;
      seen = readEntry();
      if (seen.page !== left.page || seen.depth === left.depth) return false;
      if (seen.depth > left.depth) return true;
      // A state that the router has set since also applies to the page below.
      history.replaceState({ ...(left.state as object | null), layerDepth: seen.depth }, '', left.href);
      seen = readEntry();
      const top = layers.at(-1);
      if (!top || layers.length <= seen.depth) {
        history.back();
        return true;
      }
      top();
      // A layer that refuses to close keeps its entry.
      setTimeout(ensureEntries);
      return true;
    },
  };
}
