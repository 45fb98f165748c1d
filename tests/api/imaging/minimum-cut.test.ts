import { expect, test } from 'vitest';
import { MinimumCut } from '#api/imaging/minimum-cut.ts';

const NODES = 9;

/** Numbers that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

interface Network {
  terminals: number[];
  edges: [number, number, number][];
}

function drawNetwork(seed: number): Network {
  const random = createRandom(seed);
  const terminals = Array.from({ length: NODES }, () => Math.round(random() * 20 - 10));
  const edges: Network['edges'] = [];
  for (let one = 0; one < NODES; one++) {
    for (let other = one + 1; other < NODES; other++) {
      if (random() < 0.5) edges.push([one, other, Math.round(random() * 8)]);
    }
  }
  return { terminals, edges };
}

function costOf({ terminals, edges }: Network, isAtSource: (node: number) => boolean): number {
  const ends = terminals.reduce((sum, weight, node) => {
    return sum + (isAtSource(node) ? Math.max(0, -weight) : Math.max(0, weight));
  }, 0);
  return edges.reduce((sum, [one, other, weight]) => {
    return sum + (isAtSource(one) === isAtSource(other) ? 0 : weight);
  }, ends);
}

test('no other division of a network costs less than the minimum cut', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const network = drawNetwork(seed);
    const cut = new MinimumCut(NODES, network.edges.length);
    network.terminals.forEach((weight, node) => void cut.addTerminal(node, weight));
    for (const [one, other, weight] of network.edges) cut.addEdge(one, other, weight);
    const found = costOf(network, cut.solve());
    const all = Array.from({ length: 2 ** NODES }, (_, bits) => costOf(network, (node) => (bits & (1 << node)) !== 0));
    expect(found, `network ${seed}`).toBe(Math.min(...all));
  }
});
