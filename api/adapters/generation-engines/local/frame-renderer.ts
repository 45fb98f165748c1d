import { readFileSync } from 'node:fs';
import { KERNEL_MAX_PAGES, kernelPath } from './kernel/build-kernel.ts';
import type { MotionSpan } from './motions.ts';
import { planCamera, type Shot } from './plan-camera.ts';
import { RELIEF_CELL } from './relief.ts';
import type { Scene } from './scene.ts';
import { fillWarpGrid, type WarpGrid } from './warp-grid.ts';

const PAGE_BYTES = 65_536;
const NODE_BYTES = 16;

// Neither lib.es nor @types/node declares WebAssembly, and the DOM library does not belong on a server.
interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}
interface WebAssemblyApi {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => SharedMemory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: { env: { memory: SharedMemory } }) => { exports: { render: Render } };
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };

type Render = (
  grid: number,
  cells: number,
  frame: number,
  width: number,
  height: number,
  fromRow: number,
  toRow: number,
  subject: number,
  subjectWidth: number,
  subjectHeight: number,
  ground: number,
  groundWidth: number,
  groundHeight: number,
  groundScale: number,
  groundLeft: number,
  groundTop: number,
) => void;

/** Renders the frames of one scene into slots of shared memory. The encoder reads them there without a copy. */
export class FrameRenderer {
  readonly frameCount: number;
  readonly frameBytes: number;
  /** Where the slots begin in `memory`, in bytes. */
  readonly slotOffsets: readonly number[];
  readonly memory: SharedMemory;
  readonly #scene: Scene;
  readonly #shots: readonly Shot[];
  readonly #grid: WarpGrid;
  readonly #render: Render;
  readonly #layout: { grid: number; cells: number; subject: number; ground: number };

  constructor(scene: Scene, motion: MotionSpan, slots: number) {
    const { width, height } = scene.frame;
    this.#scene = scene;
    this.#shots = planCamera(scene, motion);
    this.frameCount = this.#shots.length;
    this.frameBytes = (width * height * 3) / 2;

    let end = PAGE_BYTES;
    const reserve = (bytes: number) => {
      const start = end;
      end = (end + bytes + 63) & ~63;
      return start;
    };
    const columns = width / RELIEF_CELL;
    const rows = height / RELIEF_CELL;
    this.#layout = {
      grid: reserve((columns + 1) * (rows + 1) * NODE_BYTES),
      cells: reserve(columns * rows),
      subject: reserve(scene.subject.data.length),
      ground: reserve(scene.ground.data.length),
    };
    this.slotOffsets = Array.from({ length: slots }, () => reserve(this.frameBytes));
    this.memory = new WebAssembly.Memory({
      initial: Math.ceil(end / PAGE_BYTES),
      maximum: KERNEL_MAX_PAGES,
      shared: true,
    });
    const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(kernelPath())), {
      env: { memory: this.memory },
    });
    this.#render = instance.exports.render;
    const bytes = new Uint8Array(this.memory.buffer);
    bytes.set(scene.subject.data, this.#layout.subject);
    bytes.set(scene.ground.data, this.#layout.ground);
    this.#grid = {
      nodes: new Int32Array(this.memory.buffer, this.#layout.grid, (columns + 1) * (rows + 1) * 4),
      cells: new Uint8Array(this.memory.buffer, this.#layout.cells, columns * rows),
    };
  }

  /** Draws frame `index` into slot `index % slots` as planar YUV 4:2:0. */
  renderFrame(index: number): void {
    const { frame, subject, ground } = this.#scene;
    const { pose, zoom } = this.#shots[index]!;
    const map = fillWarpGrid(this.#grid, this.#scene, pose, zoom);
    const { grid, cells, subject: subjectAt, ground: groundAt } = this.#layout;
    const slot = this.slotOffsets[index % this.slotOffsets.length]!;
    const rows = frame.height / RELIEF_CELL;
    // In bands, because the first calls run unoptimised and V8 switches to optimised code only between calls.
    for (let row = 0; row < rows; row += 10) {
      this.#render(
        grid,
        cells,
        slot,
        frame.width,
        frame.height,
        row,
        Math.min(rows, row + 10),
        subjectAt,
        subject.width,
        subject.height,
        groundAt,
        ground.width,
        ground.height,
        map.scale,
        map.left,
        map.top,
      );
    }
  }
}
