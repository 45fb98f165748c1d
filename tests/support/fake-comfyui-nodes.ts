/** The nodes that the fake of ComfyUI knows, and how it checks workflows. Written from the server's documentation. */
import { type ComfyuiVersion, VERSIONS } from './fake-comfyui-versions.ts';

export interface FakeNode {
  class_type: string;
  inputs: Record<string, unknown>;
  _meta?: { title?: string };
}
export type FakeWorkflow = Record<string, FakeNode>;

interface NodeClass {
  required: Record<string, unknown[]>;
  optional?: Record<string, unknown[]>;
  output: string[];
  isOutput?: boolean;
}
type NodeClasses = Record<string, NodeClass>;

export interface NodeFault {
  type: string;
  message: string;
  details: string;
  extra_info: object;
}
export interface NodeFaults {
  [nodeId: string]: { errors: NodeFault[]; dependent_outputs: string[]; class_type: string };
}

/** The files that the shipped templates need. */
const MODELS = {
  unet: [
    'wan2.2_i2v_high_noise_14B_fp8_scaled.safetensors',
    'wan2.2_i2v_low_noise_14B_fp8_scaled.safetensors',
    'wan2.2_ti2v_5B_fp16.safetensors',
    'qwen_image_edit_2509_fp8_e4m3fn.safetensors',
  ],
  lora: [
    'wan2.2_i2v_lightx2v_4steps_lora_v1_high_noise.safetensors',
    'wan2.2_i2v_lightx2v_4steps_lora_v1_low_noise.safetensors',
    'Qwen-Image-Edit-2509-Lightning-4steps-V1.0-bf16.safetensors',
  ],
  clip: ['umt5_xxl_fp8_e4m3fn_scaled.safetensors', 'qwen_2.5_vl_7b_fp8_scaled.safetensors'],
  vae: ['wan_2.1_vae.safetensors', 'wan2.2_vae.safetensors', 'qwen_image_vae.safetensors'],
};

const int = (step = 1, min = 0, max = 16_384) => ['INT', { default: min, min, max, step }];
/** Older nodes give a choice as a plain list, newer ones as COMBO. */
const list = (...values: unknown[]) => [values];
const combo = (...options: unknown[]) => ['COMBO', { options }];
const link = (type: string) => [type, {}];
const float = ['FLOAT', { default: 1, min: 0, max: 1000, step: 0.01 }];
const text = ['STRING', { multiline: true }];
const sampling = {
  model: link('MODEL'),
  positive: link('CONDITIONING'),
  negative: link('CONDITIONING'),
  latent_image: link('LATENT'),
  steps: int(1, 1, 10_000),
  cfg: float,
  sampler_name: list('euler', 'uni_pc', 'res_multistep'),
  scheduler: list('simple', 'normal', 'beta'),
};
const seed = ['INT', { default: 0, min: 0, max: 2 ** 64 - 1 }];

/** What a server is able to do. */
export interface Installation {
  version: ComfyuiVersion;
  /** Files and classes that are not installed. */
  missingModels: readonly string[];
  missingNodes: readonly string[];
}

export function listNodeClasses({ missingNodes, ...rest }: Installation): NodeClasses {
  const known = Object.entries(listShippedClasses(rest));
  return Object.fromEntries(known.filter(([name]) => !missingNodes.includes(name)));
}

function listShippedClasses({ version, missingModels }: Omit<Installation, 'missingNodes'>): NodeClasses {
  const installed = (files: string[]) => files.filter((file) => !missingModels.includes(file));
  const codec = ['COMFY_DYNAMICCOMBO_V3', { options: ['auto', 'h264', 'av1'].map((key) => ({ key, inputs: {} })) }];
  const containers = ['auto', 'mp4', 'mkv', 'webm'].map((key) => ({ key, inputs: { required: { codec } } }));
  return {
    UNETLoader: {
      required: { unet_name: list(...installed(MODELS.unet)), weight_dtype: list('default', 'fp8_e4m3fn') },
      output: ['MODEL'],
    },
    LoraLoaderModelOnly: {
      required: { model: link('MODEL'), lora_name: list(...installed(MODELS.lora)), strength_model: float },
      output: ['MODEL'],
    },
    CLIPLoader: {
      required: { clip_name: list(...installed(MODELS.clip)), type: list('wan', 'qwen_image', 'sd3') },
      optional: { device: list('default', 'cpu') },
      output: ['CLIP'],
    },
    VAELoader: { required: { vae_name: list(...installed(MODELS.vae)) }, output: ['VAE'] },
    LoadImage: { required: { image: list('example.png') }, output: ['IMAGE', 'MASK'] },
    ModelSamplingSD3: { required: { model: link('MODEL'), shift: float }, output: ['MODEL'] },
    ModelSamplingAuraFlow: { required: { model: link('MODEL'), shift: float }, output: ['MODEL'] },
    CFGNorm: { required: { model: link('MODEL'), strength: float }, output: ['MODEL'] },
    CLIPTextEncode: { required: { text, clip: link('CLIP') }, output: ['CONDITIONING'] },
    PrimitiveInt: { required: { value: int(1) }, output: ['INT'] },
    TextEncodeQwenImageEditPlus: {
      required: { clip: link('CLIP'), prompt: text },
      optional: { vae: link('VAE'), image1: link('IMAGE'), image2: link('IMAGE'), image3: link('IMAGE') },
      output: ['CONDITIONING'],
    },
    EmptySD3LatentImage: {
      required: { width: int(16, 16), height: int(16, 16), batch_size: int(1, 1) },
      output: ['LATENT'],
    },
    WanImageToVideo: {
      required: {
        positive: link('CONDITIONING'),
        negative: link('CONDITIONING'),
        vae: link('VAE'),
        width: int(16, 16),
        height: int(16, 16),
        length: int(4, 1),
        batch_size: int(1, 1),
      },
      optional: { start_image: link('IMAGE') },
      output: ['CONDITIONING', 'CONDITIONING', 'LATENT'],
    },
    Wan22ImageToVideoLatent: {
      required: {
        vae: link('VAE'),
        width: int(32, 32),
        height: int(32, 32),
        length: int(4, 1),
        batch_size: int(1, 1),
      },
      optional: { start_image: link('IMAGE') },
      output: ['LATENT'],
    },
    KSampler: { required: { ...sampling, seed, denoise: float }, output: ['LATENT'] },
    KSamplerAdvanced: {
      required: {
        ...sampling,
        noise_seed: seed,
        add_noise: list('enable', 'disable'),
        start_at_step: int(),
        end_at_step: int(),
        return_with_leftover_noise: list('disable', 'enable'),
      },
      output: ['LATENT'],
    },
    VAEDecode: { required: { samples: link('LATENT'), vae: link('VAE') }, output: ['IMAGE'] },
    CreateVideo: { required: { images: link('IMAGE'), fps: float }, output: ['VIDEO'] },
    SaveVideo: {
      required: {
        video: link('VIDEO'),
        filename_prefix: ['STRING', {}],
        ...(VERSIONS[version].nestsCodec
          ? { format: ['COMFY_DYNAMICCOMBO_V3', { options: containers }], 'format.codec': codec }
          : { format: combo('auto', 'mp4'), codec: combo('auto', 'h264') }),
      },
      output: [],
      isOutput: true,
    },
    VHS_VideoCombine: {
      required: {
        images: link('IMAGE'),
        frame_rate: float,
        filename_prefix: ['STRING', {}],
        format: list('video/h264-mp4'),
      },
      output: ['VHS_FILENAMES'],
      isOutput: true,
    },
    SaveImage: {
      required: { images: link('IMAGE'), filename_prefix: ['STRING', {}] },
      output: [],
      isOutput: true,
    },
    PreviewImage: { required: { images: link('IMAGE') }, output: [], isOutput: true },
  };
}

/** The answer of `/object_info`. */
export function describeNodes(classes: NodeClasses): object {
  return Object.fromEntries(
    Object.entries(classes).map(([name, { required, optional = {}, output, isOutput = false }]) => {
      const top = Object.fromEntries(Object.entries(required).filter(([input]) => !input.includes('.')));
      return [name, { input: { required: top, optional }, input_order: {}, output, output_node: isOutput, name }];
    }),
  );
}

export type Verdict =
  | { error: { type: string; message: string; details: string; extra_info: object } }
  /** `outputs`: the output nodes that can be made. */
  | { outputs: string[]; faults: NodeFaults };

/** `hasInput`: whether a file is in the folder of inputs. */
export function validateWorkflow(
  workflow: FakeWorkflow,
  installation: Installation,
  hasInput: (file: string) => boolean,
): Verdict {
  const classes = listNodeClasses(installation);
  for (const [node_id, { class_type, _meta }] of Object.entries(workflow)) {
    if (classes[class_type]) continue;
    const details = `Node ID '#${node_id}'`;
    if (!VERSIONS[installation.version].namesMissingNodes) {
      const message = `Cannot execute because node ${class_type} does not exist.`;
      return { error: { type: 'invalid_prompt', message, details, extra_info: {} } };
    }
    const message = `Node '${_meta?.title ?? class_type}' not found. The custom node may not be installed.`;
    const extra_info = { node_id, class_type, node_title: _meta?.title };
    return { error: { type: 'missing_node_type', message, details, extra_info } };
  }
  const outputs = Object.keys(workflow).filter((id) => classes[workflow[id]?.class_type ?? '']?.isOutput);
  if (outputs.length === 0) {
    return { error: { type: 'prompt_no_outputs', message: 'Prompt has no outputs', details: '', extra_info: {} } };
  }
  const faults: NodeFaults = {};
  const good = outputs.filter((output) => {
    const wrong = listNeeded(workflow, output).flatMap((id) => {
      const errors = checkNode(workflow, id, classes, hasInput);
      return errors.length > 0 ? [{ id, errors }] : [];
    });
    for (const { id, errors } of wrong) {
      const dependent_outputs = [...(faults[id]?.dependent_outputs ?? []), output];
      faults[id] = { errors, dependent_outputs, class_type: workflow[id]?.class_type ?? '' };
    }
    return wrong.length === 0;
  });
  return { outputs: good, faults };
}

/** The node and all nodes whose results it takes. */
function listNeeded(workflow: FakeWorkflow, id: string, found = new Set<string>()): string[] {
  if (found.has(id)) return [...found];
  found.add(id);
  for (const value of Object.values(workflow[id]?.inputs ?? {})) {
    if (Array.isArray(value) && workflow[String(value[0])]) listNeeded(workflow, String(value[0]), found);
  }
  return [...found];
}

function checkNode(
  workflow: FakeWorkflow,
  id: string,
  classes: NodeClasses,
  hasInput: (file: string) => boolean,
): NodeFault[] {
  const { class_type, inputs } = workflow[id] ?? { class_type: '', inputs: {} };
  const { required = {}, optional = {} } = classes[class_type] ?? {};
  const fault = (type: string, input: string, details = input): NodeFault => ({
    type,
    message: type,
    details,
    extra_info: { input_name: input, received_value: inputs[input] },
  });
  return Object.entries({ ...optional, ...required }).flatMap(([input, spec]): NodeFault[] => {
    const value = inputs[input];
    if (value === undefined) return input in required ? [fault('required_input_missing', input)] : [];
    if (Array.isArray(value)) {
      const source = workflow[String(value[0])];
      const given = source && classes[source.class_type]?.output[Number(value[1])];
      return given === spec[0] ? [] : [fault('return_type_mismatch', input)];
    }
    if (class_type === 'LoadImage' && input === 'image') {
      if (hasInput(String(value))) return [];
      return [fault('custom_validation_failed', input, `image - Invalid image file: ${value}`)];
    }
    const { min, max, options } = (spec[1] ?? {}) as { min?: number; max?: number; options?: unknown[] };
    if (min !== undefined && Number(value) < min) return [fault('value_smaller_than_min', input)];
    if (max !== undefined && Number(value) > max) return [fault('value_bigger_than_max', input)];
    const choices = Array.isArray(spec[0]) ? spec[0] : spec[0] === 'COMBO' ? options : undefined;
    if (!choices || choices.includes(value)) return [];
    return [fault('value_not_in_list', input, `${input}: '${value}' not in ${JSON.stringify(choices)}`)];
  });
}
