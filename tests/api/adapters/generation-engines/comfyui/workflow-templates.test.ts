import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Workflow } from '#api/adapters/generation-engines/comfyui/comfyui-client.ts';
import { loadTemplates } from '#api/adapters/generation-engines/comfyui/workflow-templates.ts';
import { submitJob } from '#tests/api/adapters/generation-engines/engine-contract.ts';
import {
  type ComfyuiFixture,
  createComfyuiFixture,
  orderModelChange,
  orderPose,
  orderVideo,
  SHIPPED_WORKFLOWS,
} from '#tests/support/comfyui-fixture.ts';
import { COMFYUI_VERSIONS } from '#tests/support/fake-comfyui-versions.ts';

let folder: string;
let fixture: ComfyuiFixture | null = null;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'podium-workflows-'));
});

afterEach(async () => {
  await fixture?.close();
  fixture = null;
  await rm(folder, { recursive: true });
});

/** Puts a shipped template into the folder, changed. */
async function put(file: string, from: string, change: (workflow: Workflow) => void = () => {}): Promise<void> {
  const workflow = JSON.parse(await readFile(path.join(SHIPPED_WORKFLOWS, from), 'utf8')) as Workflow;
  change(workflow);
  await writeFile(path.join(folder, file), JSON.stringify(workflow));
}

/** The complaints about the folder, one a line. */
async function listFaults(): Promise<string[]> {
  const error = await loadTemplates(folder).then(() => null, String);
  return (error ?? '').split('\n').slice(1);
}

function nodeWith(workflow: Workflow, mark: string) {
  const node = Object.values(workflow).find(({ _meta }) => _meta?.title?.split(' ').includes(mark));
  if (!node) throw new Error(`no node has the mark ${mark}`);
  return node;
}

describe('the shipped templates', () => {
  test('make every tool, and fit a server that has the documented nodes and models', async () => {
    fixture = await createComfyuiFixture();
    expect(fixture.engine.abilities).toEqual({
      video: { mover: 'person', seconds: [5], aspectRatios: ['3:4', '9:16', '1:1'] },
      model_change: { change: 'model_change' },
      photosession: { frames: 'poses' },
      try_on: true,
    });
    expect(fixture.logged).toEqual([]);
  });

  test('of the smaller model can replace the video of the larger one', async () => {
    await cp(path.join(SHIPPED_WORKFLOWS, 'wan-5b'), folder, { recursive: true });
    fixture = await createComfyuiFixture({}, { workflowsDir: folder });
    await submitJob(fixture.engine, orderVideo());
    const { width, height, length } = fixture.server.jobs[0]?.workflow['8']?.inputs ?? {};
    expect([Number(width) % 32, Number(height) % 32, length]).toEqual([0, 0, 121]);
  });

  test.each(COMFYUI_VERSIONS)('are taken in full by ComfyUI %s', async (version) => {
    fixture = await createComfyuiFixture({ version, count: 3 });
    for (const order of [orderVideo(), orderModelChange(), orderPose(0)]) await submitJob(fixture.engine, order);
    expect(fixture.servers.map(({ jobs }) => jobs.length)).toEqual([1, 1, 1]);
  });
});

describe('a folder of templates', () => {
  test('without one for a tool means that the tool cannot be made', async () => {
    await put('photosession.1.json', 'photosession.1.json');
    fixture = await createComfyuiFixture({}, { workflowsDir: folder });
    expect(fixture.engine.abilities).toEqual({
      video: null,
      model_change: null,
      try_on: null,
      photosession: { frames: 'poses' },
    });
  });

  test('with a try-on of one picture stops the start', async () => {
    await put('try_on.1.json', 'photosession.1.json');
    expect(await listFaults()).toEqual(['  try_on.2.json is missing: it makes the person in the garment']);
  });

  test('that does not exist or is empty stops the start', async () => {
    expect(await listFaults()).toEqual(['  there is no template']);
    await expect(loadTemplates(path.join(folder, 'nowhere'))).rejects.toThrow(
      /nowhere:\n {2}the folder cannot be read/,
    );
  });

  test('reports everything wrong in all its files together', async () => {
    const ui = { nodes: [{ id: 1, type: 'LoadImage' }], links: [], definitions: { subgraphs: [] } };
    await writeFile(path.join(folder, 'video.1.json'), JSON.stringify(ui));
    await writeFile(path.join(folder, 'photosession.1.json'), '{ not json');
    await writeFile(path.join(folder, 'poses.json'), '{}');
    await put('model_change.2.json', 'model_change.2.json', (workflow) => {
      nodeWith(workflow, 'IN:PROMPT')._meta = { title: 'Prompt' };
      nodeWith(workflow, 'OUT:RESULT')._meta = { title: 'OUT:RESUTL' };
    });
    expect(await listFaults()).toEqual([
      '  model_change.2.json: node 15 (SaveImage) has the mark OUT:RESUTL, which does not exist',
      '  model_change.2.json: no node has the mark IN:PROMPT in its title',
      '  model_change.2.json: no node has the mark OUT:RESULT in its title',
      '  photosession.1.json: is no JSON',
      expect.stringMatching(/^ {2}poses\.json: a name such as video\.1\.json/),
      '  video.1.json: has the format of the editor; export it with «Export (API)»',
      '  model_change.3.json is missing: it makes another person before another background',
    ]);
  });

  test.each([
    {
      what: 'a mark on two nodes',
      change: (workflow: Workflow) => {
        nodeWith(workflow, 'IN:SEED')._meta = { title: 'IN:SEED IN:PROMPT' };
      },
      fault: 'IN:PROMPT marks two nodes, 10 and 13',
    },
    {
      what: 'a mark on an input that comes from another node',
      change: (workflow: Workflow) => {
        nodeWith(workflow, 'IN:WIDTH').inputs.width = ['20', 0];
      },
      fault: 'IN:WIDTH marks node 12 (WanImageToVideo), whose width comes from another node; mark that one',
    },
    {
      what: 'a mark on a node without such an input',
      change: (workflow: Workflow) => {
        delete nodeWith(workflow, 'IN:FPS').inputs.fps;
      },
      fault: 'IN:FPS marks node 16 (CreateVideo), which has no input fps or frame_rate or value',
    },
    {
      what: 'a number that is none',
      change: (workflow: Workflow) => {
        nodeWith(workflow, 'IN:FPS').inputs.fps = 'fast';
      },
      fault: 'IN:FPS marks node 16 (CreateVideo), whose fps is no number',
    },
    {
      what: 'a video without a length',
      change: (workflow: Workflow) => {
        nodeWith(workflow, 'IN:LENGTH')._meta = { title: 'IN:WIDTH IN:HEIGHT' };
      },
      fault: 'no node has the mark IN:LENGTH in its title',
    },
    {
      what: 'more pictures than its name says',
      change: (workflow: Workflow) => {
        workflow['30'] = { class_type: 'LoadImage', inputs: { image: 'x.png' }, _meta: { title: 'IN:IMAGE_2' } };
      },
      fault: 'IN:IMAGE_2 is marked, but by its name 1 of the pictures go in',
    },
  ])('names $what', async ({ change, fault }) => {
    await put('video.1.json', 'video.1.json', change);
    expect(await listFaults()).toContain(`  video.1.json: ${fault}`);
  });
});

describe('the check against the servers', () => {
  test('names every model and node that a server does not have, with its address', async () => {
    await put('video.1.json', 'video.1.json', (workflow) => {
      nodeWith(workflow, 'IN:FPS').class_type = 'RIFE VFI';
    });
    await put('photosession.1.json', 'photosession.1.json');
    const missingModels = ['wan_2.1_vae.safetensors', 'qwen_image_vae.safetensors'];
    const error = await createComfyuiFixture({ missingModels }, { workflowsDir: folder }).then(() => '', String);
    expect(error).toContain('video.1.json: the server has no vae_name «wan_2.1_vae.safetensors» (node 8, VAELoader)');
    expect(error).toContain('photosession.1.json: the server has no vae_name «qwen_image_vae.safetensors»');
    expect(error).toContain('video.1.json: the server has no node RIFE VFI (node 16)');
    expect(error.match(/http:\/\/127\.0\.0\.1:\d+: /g)).toHaveLength(3);
  });

  test('is made later for a server that could not be reached at the start, which is only a warning', async () => {
    fixture = await createComfyuiFixture({ proxyAnswer: 502 });
    expect(fixture.logged).toEqual(['warn ComfyUI server does not work']);
    expect(fixture.engine.abilities.video).not.toBeNull();
  });
});
