import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createLocalEngine } from '#api/adapters/generation-engines/local/local-engine.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { describeEngine } from '#tests/api/adapters/generation-engines/engine-contract.ts';

const log = { info: () => undefined, error: () => undefined };

describeEngine(
  async () => {
    const workDir = await mkdtemp(path.join(tmpdir(), 'podium-engine-'));
    onTestFinished(() => rm(workDir, { recursive: true }));
    return {
      createEngine: () =>
        createLocalEngine({ workDir, encoder: 'node-av', log, frameSize: { width: 120, height: 160 } }),
      countTaken: null,
      failures: [],
      hold: () => undefined,
      unknownJob: { id: `local-${randomUUID()}`, details: {} },
    };
  },
  { kinds: GENERATION_KINDS.filter((kind) => kind !== 'try_on'), remembersJobs: false },
);
