import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { GENERATION_KINDS, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { type AspectRatio, VIDEO_FRAME_SIZES } from '#shared/rules/motion-presets.ts';
import type { NodeCatalogue, Workflow, WorkflowNode } from './comfyui-client.ts';

/**
 * Marks in the titles of nodes, each with the inputs that it may stand for. The first one that the node has is meant.
 */
const MARKS = {
  'IN:PROMPT': ['text', 'prompt', 'value'],
  'IN:NEGATIVE': ['text', 'prompt', 'value'],
  'IN:IMAGE_1': ['image'],
  'IN:IMAGE_2': ['image'],
  'IN:IMAGE_3': ['image'],
  'IN:SEED': ['seed', 'noise_seed', 'value'],
  'IN:WIDTH': ['width', 'value'],
  'IN:HEIGHT': ['height', 'value'],
  'IN:LENGTH': ['length', 'value'],
  'IN:FPS': ['fps', 'frame_rate', 'value'],
  'OUT:RESULT': ['filename_prefix'],
} as const;
type Mark = keyof typeof MARKS;

const IMAGE_MARKS = ['IN:IMAGE_1', 'IN:IMAGE_2', 'IN:IMAGE_3'] as const;
const NUMBERS: readonly Mark[] = ['IN:SEED', 'IN:WIDTH', 'IN:HEIGHT', 'IN:LENGTH', 'IN:FPS'];
const SIZE_MARKS: readonly Mark[] = ['IN:WIDTH', 'IN:HEIGHT'];
const VIDEO_MARKS: readonly Mark[] = [...SIZE_MARKS, 'IN:LENGTH', 'IN:FPS'];

const FILE_NAME = new RegExp(`^(${GENERATION_KINDS.join('|')})\\.([1-${IMAGE_MARKS.length}])\\.json$`);
const NAMING = `a name such as video.1.json: ${GENERATION_KINDS.join(', ')}, and how many pictures go in`;
/** Where the node does not tell its step. Every model of today can make such sizes. */
const SAFE_STEP = 32;
/** Below this the step of a node is that of a plain number field. */
const SMALLEST_STEP = 8;

const apiFormat = z.record(
  z.string(),
  z.object({
    class_type: z.string(),
    inputs: z.record(z.string(), z.unknown()),
    _meta: z.object({ title: z.string().optional() }).optional(),
  }),
);

interface Slot {
  nodeId: string;
  input: string;
  node: WorkflowNode;
}
type Slots = ReadonlyMap<Mark, Slot>;

/** A workflow that an operator has exported, with the places to fill. */
export interface WorkflowTemplate {
  /** Its name in the folder, for example `video.1.json`. */
  file: string;
  kind: GenerationKind;
  /** How many pictures go in. */
  images: number;
  workflow: Workflow;
  slots: Slots;
}

/** Templates are missing or wrong. The start stops and prints the message. */
export class WorkflowTemplateError extends Error {
  constructor(folder: string, problems: readonly string[]) {
    super(`ComfyUI templates in ${folder}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'WorkflowTemplateError';
  }
}

/** Reads all templates of the folder, not of its subfolders. Throws WorkflowTemplateError with everything wrong. */
export async function loadTemplates(folder: string): Promise<WorkflowTemplate[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new WorkflowTemplateError(folder, [`the folder cannot be read (${error.code ?? error.message})`]);
  });
  const files = entries.filter((entry) => !entry.isDirectory() && entry.name.endsWith('.json'));
  const problems: string[] = files.length === 0 ? ['there is no template'] : [];
  const templates: WorkflowTemplate[] = [];
  for (const file of files.map(({ name }) => name).sort()) {
    const [, kind, images] = FILE_NAME.exec(file) ?? [];
    if (!kind) {
      problems.push(`${file}: ${NAMING}`);
      continue;
    }
    const { workflow, problem } = parseWorkflow(await readFile(path.join(folder, file), 'utf8'));
    if (!workflow) {
      problems.push(`${file}: ${problem}`);
      continue;
    }
    const { slots, faults } = findSlots(workflow);
    const template = { file, kind: kind as GenerationKind, images: Number(images), workflow, slots };
    problems.push(...[...faults, ...findMarkFaults(template)].map((fault) => `${file}: ${fault}`));
    templates.push(template);
  }
  problems.push(...findMissingTemplates(templates));
  if (problems.length > 0) throw new WorkflowTemplateError(folder, problems);
  return templates;
}

function parseWorkflow(text: string): { workflow: Workflow | null; problem: string } {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return { workflow: null, problem: 'is no JSON' };
  }
  if (typeof content === 'object' && content !== null && 'nodes' in content && Array.isArray(content.nodes)) {
    return { workflow: null, problem: 'has the format of the editor; export it with «Export (API)»' };
  }
  const parsed = apiFormat.safeParse(content);
  if (!parsed.success)
    return { workflow: null, problem: 'is no workflow in API format; export it with «Export (API)»' };
  return { workflow: parsed.data, problem: '' };
}

function findSlots(workflow: Workflow): { slots: Slots; faults: string[] } {
  const slots = new Map<Mark, Slot>();
  const faults: string[] = [];
  for (const [nodeId, node] of Object.entries(workflow)) {
    const marks = (node._meta?.title ?? '').split(/\s+/).filter((word) => /^(IN|OUT):/.test(word));
    const where = `${nodeId} (${node.class_type})`;
    for (const mark of marks) {
      if (!isMark(mark)) {
        faults.push(`node ${where} has the mark ${mark}, which does not exist`);
        continue;
      }
      const first = slots.get(mark);
      const input = MARKS[mark].find((name) => name in node.inputs);
      if (first) faults.push(`${mark} marks two nodes, ${first.nodeId} and ${nodeId}`);
      else if (!input) faults.push(`${mark} marks node ${where}, which has no input ${MARKS[mark].join(' or ')}`);
      else if (Array.isArray(node.inputs[input])) {
        faults.push(`${mark} marks node ${where}, whose ${input} comes from another node; mark that one`);
      } else if (NUMBERS.includes(mark) && typeof node.inputs[input] !== 'number') {
        faults.push(`${mark} marks node ${where}, whose ${input} is no number`);
      }
      if (!first && input) slots.set(mark, { nodeId, input, node });
    }
  }
  return { slots, faults };
}

function isMark(word: string): word is Mark {
  return word in MARKS;
}

function findMarkFaults({ kind, images, slots }: WorkflowTemplate): string[] {
  const wantedImages: readonly Mark[] = IMAGE_MARKS.slice(0, images);
  const wanted: Mark[] = ['IN:PROMPT', ...wantedImages, 'IN:SEED', 'OUT:RESULT'];
  if (kind === 'video') wanted.push(...VIDEO_MARKS);
  // Either both sides of a picture are set or none.
  else if (SIZE_MARKS.some((mark) => slots.has(mark))) wanted.push(...SIZE_MARKS);
  const missing = wanted.filter((mark) => !slots.has(mark)).map((mark) => `no node has the mark ${mark} in its title`);
  const surplus = IMAGE_MARKS.slice(images)
    .filter((mark) => slots.has(mark))
    .map((mark) => `${mark} is marked, but by its name ${images} of the pictures go in`);
  return [...missing, ...surplus];
}

/** The templates of tools that take several pictures. */
const NEEDED = [
  { kind: 'model_change', images: 2, makes: 'another person or another background' },
  { kind: 'model_change', images: 3, makes: 'another person before another background' },
  { kind: 'try_on', images: 2, makes: 'the person in the garment' },
] as const satisfies { kind: GenerationKind; images: number; makes: string }[];

/** A tool is made in full or not at all. */
function findMissingTemplates(templates: readonly WorkflowTemplate[]): string[] {
  return NEEDED.filter(
    ({ kind, images }) =>
      templates.some((template) => template.kind === kind) &&
      !templates.some((template) => template.kind === kind && template.images === images),
  ).map(({ kind, images, makes }) => `${kind}.${images}.json is missing: it makes ${makes}`);
}

/** What a server lacks for a template: node classes, and models or other choices by name. */
export function findServerFaults({ file, workflow, slots }: WorkflowTemplate, nodes: NodeCatalogue): string[] {
  const filled = new Set([...slots.values()].map(({ nodeId, input }) => `${nodeId} ${input}`));
  return Object.entries(workflow).flatMap(([nodeId, { class_type, inputs }]) => {
    const known = nodes.get(class_type);
    if (!known) return [`${file}: the server has no node ${class_type} (node ${nodeId})`];
    return Object.entries(inputs).flatMap(([input, value]) => {
      const choices = listChoices(known[input]);
      if (!choices || Array.isArray(value) || filled.has(`${nodeId} ${input}`) || choices.includes(value)) return [];
      return [`${file}: the server has no ${input} «${value}» (node ${nodeId}, ${class_type})`];
    });
  });
}

const choiceSpec = z.union([
  z
    .tuple([z.array(z.unknown())])
    .rest(z.unknown())
    .transform(([choices]) => choices),
  z
    .tuple([z.literal('COMBO'), z.object({ options: z.array(z.unknown()) })])
    .rest(z.unknown())
    .transform(([, { options }]) => options),
]);

/** The values that an input may have. Null when it is no choice. */
function listChoices(spec: unknown): unknown[] | null {
  return choiceSpec.safeParse(spec).data ?? null;
}

export interface TemplateValues {
  prompt: string;
  negative: string;
  /** Names that the server gave to the uploaded files, in the order in which the prompt mentions them. */
  images: readonly string[];
  seed: number;
  /** Below the server's folder of outputs. */
  filenamePrefix: string;
  /** Null keeps the template's own size. */
  size: { width: number; height: number } | null;
  /** For a video. */
  seconds: number | null;
}

export function fillTemplate({ workflow, slots }: WorkflowTemplate, values: TemplateValues): Workflow {
  const filled = structuredClone(workflow);
  const set = (mark: Mark, value: unknown) => {
    const slot = slots.get(mark);
    const node = slot && filled[slot.nodeId];
    if (node) node.inputs[slot.input] = value;
  };
  set('IN:PROMPT', values.prompt);
  set('IN:NEGATIVE', values.negative);
  for (const [index, mark] of IMAGE_MARKS.entries()) set(mark, values.images[index]);
  set('IN:SEED', values.seed);
  set('OUT:RESULT', values.filenamePrefix);
  if (values.size) {
    set('IN:WIDTH', values.size.width);
    set('IN:HEIGHT', values.size.height);
  }
  if (values.seconds !== null) set('IN:LENGTH', countFrames(values.seconds, readNumber(slots, 'IN:FPS')));
  return filled;
}

/** Wan makes 4n+1 frames: a first one, and groups of four. */
function countFrames(seconds: number, framesPerSecond: number): number {
  return 4 * Math.round((seconds * framesPerSecond) / 4) + 1;
}

/**
 * The size to make, in the steps of the node. A video gets the template's number of pixels in the ordered shape.
 * `scale`: of each side, less than 1 after a lack of memory. Null when the template leaves the size to its nodes.
 */
export function chooseSize(
  { slots }: WorkflowTemplate,
  nodes: NodeCatalogue,
  { aspectRatio, scale }: { aspectRatio: AspectRatio | null; scale: number },
): { width: number; height: number } | null {
  if (!slots.has('IN:WIDTH')) return null;
  const own = { width: readNumber(slots, 'IN:WIDTH'), height: readNumber(slots, 'IN:HEIGHT') };
  const shape = aspectRatio ? VIDEO_FRAME_SIZES[aspectRatio] : own;
  const factor = scale * Math.sqrt((own.width * own.height) / (shape.width * shape.height));
  return {
    width: roundTo(shape.width * factor, readStep(slots, 'IN:WIDTH', nodes)),
    height: roundTo(shape.height * factor, readStep(slots, 'IN:HEIGHT', nodes)),
  };
}

function roundTo(value: number, step: number): number {
  return Math.max(1, Math.round(value / step)) * step;
}

function readNumber(slots: Slots, mark: Mark): number {
  const slot = slots.get(mark);
  return Number(slot?.node.inputs[slot.input]);
}

const numberSpec = z.tuple([z.literal('INT'), z.object({ step: z.number() })]).rest(z.unknown());

function readStep(slots: Slots, mark: Mark, nodes: NodeCatalogue): number {
  const slot = slots.get(mark);
  const spec = slot && nodes.get(slot.node.class_type)?.[slot.input];
  const step = numberSpec.safeParse(spec).data?.[1].step ?? 0;
  return step >= SMALLEST_STEP ? step : SAFE_STEP;
}

/** The nodes that take most of the time. Their steps make up the progress. */
export function listSamplers({ workflow }: WorkflowTemplate): string[] {
  return Object.keys(workflow).filter((id) => 'latent_image' in (workflow[id]?.inputs ?? {}));
}

export function takesNegative({ slots }: WorkflowTemplate): boolean {
  return slots.has('IN:NEGATIVE');
}

/** The node whose files are the result. */
export function findResultNode({ slots }: WorkflowTemplate): string {
  return slots.get('OUT:RESULT')?.nodeId ?? '';
}
