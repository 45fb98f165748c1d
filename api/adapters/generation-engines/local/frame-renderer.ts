import { readFileSync } from 'node:fs';
import { kernelPath } from './kernel/build-kernel.ts';
import type { MotionSpan } from './motions.ts';
import { planCamera, type Shot } from './plan-camera.ts';
import { RELIEF_CELL } from './relief.ts';
import type { Scene } from './scene.ts';
import { fillWarpGrid, type WarpGrid } from './warp-grid.ts';

const PAGE_BYTES = 65_536;
const NODE_BYTES = 16;

// Neither lib.es nor @types/node declares WebAssembly, and the DOM library does not belong on a server.
interface Memory {
  readonly buffer: ArrayBuffer;
}
interface WebAssemblyApi {
  Memory: new (size: { initial: number }) => Memory;
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: { env: { memory: Memory } }) => { exports: { render: Render } };
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

export class FrameRenderer {
  readonly frameCount: number;
  readonly #scene: Scene;
  readonly #shots: readonly Shot[];
  readonly #grid: WarpGrid;
  readonly #pixels: Uint8Array;
  readonly #render: Render;
  /** Where each part begins in the kernel's memory, in bytes. */
  readonly #layout: { grid: number; cells: number; subject: number; ground: number; pixels: number };

  constructor(scene: Scene, motion: MotionSpan) {
    const { width, height } = scene.frame;
    this.#scene = scene;
    this.#shots = planCamera(scene, motion);
    this.frameCount = this.#shots.length;
    let end = PAGE_BYTES;
    const reserve = (bytes: number) => {
      const start = end;
      end = (end + bytes + 63) & ~63;
      return start;
    };
    const columns = width / RELIEF_CELL;
    const rows = height / RELIEF_CELL;
    const frameBytes = (width * height * 3) / 2;
    this.#layout = {
      grid: reserve((columns + 1) * (rows + 1) * NODE_BYTES),
      cells: reserve(columns * rows),
      subject: reserve(scene.subject.data.length),
      ground: reserve(scene.ground.data.length),
      pixels: reserve(frameBytes),
    };
    const memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE_BYTES) });
    const module = new WebAssembly.Module(readFileSync(kernelPath()));
    this.#render = new WebAssembly.Instance(module, { env: { memory } }).exports.render;
    this.#pixels = new Uint8Array(memory.buffer, this.#layout.pixels, frameBytes);
    const bytes = new Uint8Array(memory.buffer);
    bytes.set(scene.subject.data, this.#layout.subject);
    bytes.set(scene.ground.data, this.#layout.ground);
    this.#grid = {
      nodes: new Int32Array(memory.buffer, this.#layout.grid, (columns + 1) * (rows + 1) * 4),
      cells: new Uint8Array(memory.buffer, this.#layout.cells, columns * rows),
    };
  }

  /** Draws frame `index` as planar YUV 4:2:0. The next call reuses the bytes. */
  renderFrame(index: number): Uint8Array {
    const { frame, subject, ground } = this.#scene;
    const { pose, zoom } = this.#shots[index]!;
    const map = fillWarpGrid(this.#grid, this.#scene, pose, zoom);
    const layout = this.#layout;
    const rows = frame.height / RELIEF_CELL;
    // In bands, because the first calls run unoptimised and V8 switches to optimised code only between calls.
    for (let row = 0; row < rows; row += 10) {
      this.#render(
        layout.grid,
        layout.cells,
        layout.pixels,
        frame.width,
        frame.height,
        row,
        Math.min(rows, row + 10),
        layout.subject,
        subject.width,
        subject.height,
        layout.ground,
        ground.width,
        ground.height,
        map.scale,
        map.left,
        map.top,
      );
    }
    return this.#pixels;
  }
}
