const NONE = 0;
const TERMINAL = -1;
const ORPHAN = -2;

/**
 * Divides nodes between a source and a sink so that the edges between both sides weigh least: the maximum flow of
 * Boykov and Kolmogorov (IEEE PAMI 26/9, 2004), which keeps a search tree at either end and repairs both after every
 * path. Edges come in pairs, one for each direction; the partner of edge `e` is `e ^ 1`.
 */
export class MinimumCut {
  /** Surplus towards the source, negative towards the sink. */
  readonly #terminal: Float64Array;
  readonly #firstEdge: Int32Array;
  readonly #nextEdge: Int32Array;
  readonly #target: Int32Array;
  readonly #room: Float64Array;
  #edges = 2;
  /** The edge to a node's parent in its tree, or NONE, TERMINAL, ORPHAN. */
  readonly #parent: Int32Array;
  /** 0: the tree of the source, 1: that of the sink. */
  readonly #tree: Uint8Array;
  readonly #distance: Int32Array;
  /** When the distance was computed. */
  readonly #stamp: Int32Array;
  #now = 0;
  /** The nodes from which a tree may grow, and whether a node is among them. */
  readonly #active: Int32Array;
  readonly #isActive: Uint8Array;
  #activeFrom = 0;
  #activeCount = 0;
  readonly #orphans: number[] = [];

  constructor(nodes: number, mostEdges: number) {
    this.#terminal = new Float64Array(nodes);
    this.#firstEdge = new Int32Array(nodes);
    this.#nextEdge = new Int32Array(2 * mostEdges + 2);
    this.#target = new Int32Array(2 * mostEdges + 2);
    this.#room = new Float64Array(2 * mostEdges + 2);
    this.#parent = new Int32Array(nodes);
    this.#tree = new Uint8Array(nodes);
    this.#distance = new Int32Array(nodes);
    this.#stamp = new Int32Array(nodes);
    this.#active = new Int32Array(nodes);
    this.#isActive = new Uint8Array(nodes);
  }

  /** What it costs to take a node from the source (positive) or from the sink (negative). Adds up. */
  addTerminal(node: number, weight: number): void {
    this.#terminal[node]! += weight;
  }

  /** What it costs to separate two nodes. */
  addEdge(one: number, other: number, weight: number): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const edge = this.#edges++;
      this.#target[edge] = to;
      this.#room[edge] = weight;
      this.#nextEdge[edge] = this.#firstEdge[from]!;
      this.#firstEdge[from] = edge;
    }
  }

  /** Returns a function that tells whether a node is on the side of the source. One that neither tree holds is. */
  solve(): (node: number) => boolean {
    for (let node = 0; node < this.#terminal.length; node++) {
      const weight = this.#terminal[node]!;
      if (weight === 0) continue;
      this.#parent[node] = TERMINAL;
      this.#tree[node] = weight < 0 ? 1 : 0;
      this.#distance[node] = 1;
      this.#activate(node);
    }
    for (let bridge = this.#grow(); bridge !== NONE; bridge = this.#grow()) {
      this.#augment(bridge);
      this.#now++;
      while (this.#orphans.length > 0) this.#adopt(this.#orphans.pop()!);
    }
    return (node) => this.#parent[node] === NONE || this.#tree[node] === 0;
  }

  #activate(node: number): void {
    if (this.#isActive[node]) return;
    this.#isActive[node] = 1;
    this.#active[(this.#activeFrom + this.#activeCount++) % this.#active.length] = node;
  }

  /** Grows both trees until they meet. Returns the edge from the source's tree to the sink's. */
  #grow(): number {
    while (this.#activeCount > 0) {
      const node = this.#active[this.#activeFrom]!;
      const bridge = this.#parent[node] === NONE ? NONE : this.#growFrom(node);
      if (bridge !== NONE) return bridge;
      this.#activeFrom = (this.#activeFrom + 1) % this.#active.length;
      this.#activeCount--;
      this.#isActive[node] = 0;
    }
    return NONE;
  }

  #growFrom(node: number): number {
    const tree = this.#tree[node]!;
    for (let edge = this.#firstEdge[node]!; edge !== NONE; edge = this.#nextEdge[edge]!) {
      if (this.#room[edge ^ tree] === 0) continue;
      const next = this.#target[edge]!;
      if (this.#parent[next] === NONE) {
        this.#tree[next] = tree;
        this.#follow(next, edge ^ 1, node);
        this.#activate(next);
      } else if (this.#tree[next] !== tree) return edge ^ tree;
      else if (this.#distance[next]! > this.#distance[node]! + 1 && this.#stamp[next]! <= this.#stamp[node]!) {
        this.#follow(next, edge ^ 1, node);
      }
    }
    return NONE;
  }

  #follow(node: number, edge: number, parent: number): void {
    this.#parent[node] = edge;
    this.#stamp[node] = this.#stamp[parent]!;
    this.#distance[node] = this.#distance[parent]! + 1;
  }

  /** Sends what fits through the path of an edge between the trees. Edges that are full make orphans. */
  #augment(bridge: number): void {
    let flow = this.#room[bridge]!;
    for (const side of [1, 0] as const) {
      let node = this.#target[bridge ^ side]!;
      for (let edge = this.#parent[node]!; edge > 0; edge = this.#parent[node]!) {
        flow = Math.min(flow, this.#room[edge ^ side]!);
        node = this.#target[edge]!;
      }
      flow = Math.min(flow, Math.abs(this.#terminal[node]!));
    }
    this.#room[bridge]! -= flow;
    this.#room[bridge ^ 1]! += flow;
    for (const side of [1, 0] as const) {
      let node = this.#target[bridge ^ side]!;
      for (let edge = this.#parent[node]!; edge > 0; edge = this.#parent[node]!) {
        this.#room[edge ^ side ^ 1]! += flow;
        this.#room[edge ^ side]! -= flow;
        const next = this.#target[edge]!;
        if (this.#room[edge ^ side] === 0) this.#orphan(node);
        node = next;
      }
      this.#terminal[node]! += side === 1 ? -flow : flow;
      if (this.#terminal[node] === 0) this.#orphan(node);
    }
  }

  #orphan(node: number): void {
    this.#parent[node] = ORPHAN;
    this.#orphans.push(node);
  }

  /** Finds the nearest parent for a node in its own tree. Without one the node becomes free. */
  #adopt(node: number): void {
    const tree = this.#tree[node]!;
    let nearest = Number.POSITIVE_INFINITY;
    let found = NONE;
    for (let edge = this.#firstEdge[node]!; edge !== NONE; edge = this.#nextEdge[edge]!) {
      if (this.#room[edge ^ tree ^ 1] === 0) continue;
      const next = this.#target[edge]!;
      if (this.#tree[next] !== tree || this.#parent[next] === NONE) continue;
      const distance = this.#distanceToRoot(next) + 1;
      if (distance < nearest) {
        nearest = distance;
        found = edge;
      }
    }
    this.#parent[node] = found;
    if (found !== NONE) {
      this.#stamp[node] = this.#now;
      this.#distance[node] = nearest;
      return;
    }
    this.#stamp[node] = 0;
    for (let edge = this.#firstEdge[node]!; edge !== NONE; edge = this.#nextEdge[edge]!) {
      const next = this.#target[edge]!;
      const parent = this.#parent[next]!;
      if (this.#tree[next] !== tree || parent === NONE) continue;
      if (this.#room[edge ^ tree ^ 1] !== 0) this.#activate(next);
      if (parent > 0 && this.#target[parent] === node) this.#orphan(next);
    }
  }

  /** Infinite below an orphan. Marks the way, so that it is walked once. */
  #distanceToRoot(start: number): number {
    let distance = 0;
    let node = start;
    while (this.#stamp[node] !== this.#now) {
      const edge = this.#parent[node]!;
      if (edge === ORPHAN) return Number.POSITIVE_INFINITY;
      distance++;
      if (edge === TERMINAL) {
        this.#stamp[node] = this.#now;
        this.#distance[node] = 1;
        distance--;
        break;
      }
      node = this.#target[edge]!;
    }
    distance += this.#distance[node]!;
    let left = distance;
    for (let way = start; this.#stamp[way] !== this.#now; way = this.#target[this.#parent[way]!]!) {
      this.#stamp[way] = this.#now;
      this.#distance[way] = left--;
    }
    return distance;
  }
}
