import { beforeAll } from 'vitest';
import { buildKernel } from '#api/adapters/generation-engines/local/kernel/build-kernel.ts';
import { describeVideo } from '#tests/api/adapters/generation-engines/local/describe-video.ts';

beforeAll(buildKernel);

for (const kind of ['garment', 'person', 'shoe', 'pale-garment', 'busy'] as const) describeVideo(kind);
