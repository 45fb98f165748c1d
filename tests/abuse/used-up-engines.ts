import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { createFakeFal, type FakeFal } from '#tests/support/fake-fal.ts';
import { modelError } from '#tests/support/fake-fal-rules.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { type RunningServer, startServer, Visitor } from '#tests/support/running-server.ts';
import { type AbuseCase, describeAnswer } from './abuse-scene.ts';

/** One video of 0.35 is within 5 % of it, and two are not. */
const DAILY_BUDGET = '10';

/** A server of its own with a paid engine, because the one of the other themes renders by itself. */
async function withPaidEngine(attempt: (place: { server: RunningServer; fal: FakeFal }) => Promise<string>) {
  const fal = await createFakeFal();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'podium-abuse-'));
  const env = { ...fal.settings, ENGINE: 'fal', ENGINE_DAILY_BUDGET: DAILY_BUDGET, GARMENT_CHECK: 'off' };
  const server = await startServer({ dataDir, port: await findFreePort(), env });
  try {
    return await attempt({ server, fal });
  } finally {
    await server.stop();
    await fal.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

class Customer extends Visitor {
  #imageId = '';

  static async enter(server: RunningServer, email: string): Promise<Customer> {
    const customer = new Customer(server);
    await customer.register(email);
    const { transfer } = await customer.json<{ transfer: { inForce: string } }>('GET', '/api/account/consents');
    await customer.json('POST', '/api/account/consents', { kind: 'transfer', version: transfer.inForce });
    customer.#imageId = await customer.uploadPhoto(await drawProductPhoto('garment', { width: 900, height: 1200 }));
    return customer;
  }

  order(prompt?: string): Promise<Response> {
    const settings = prompt === undefined ? {} : { prompt };
    return this.request('POST', '/api/generate', { imageId: this.#imageId, settings });
  }

  /** Changes the background, which costs the engine a tenth of a video. */
  async change(): Promise<Response> {
    const { models, backgrounds } = await this.json<Record<string, { imageUrl: string }[]>>('GET', '/api/catalogue');
    const form = new FormData();
    form.set('imageId', this.#imageId);
    form.set('modelImageUrl', models?.[0]?.imageUrl ?? '');
    form.set('backgroundImageUrl', backgrounds?.find(({ imageUrl }) => imageUrl)?.imageUrl ?? '');
    return this.request('POST', '/api/change-model', form);
  }

  async waitForEnd(): Promise<void> {
    for (;;) {
      const { activeGenerations } = await this.json<{ activeGenerations: unknown[] }>('GET', '/api/active-generations');
      if (activeGenerations.length === 0) return;
      await wait(250);
    }
  }
}

/** One account uses up what is others'. */
export const ENGINE_CASES: AbuseCase[] = [
  {
    name: '2,000 «@» in a prompt, and then as many as are taken',
    expected: '400 invalid_request, 200, and the server answers meanwhile',
    try: () =>
      withPaidEngine(async ({ server, fal }) => {
        const customer = await Customer.enter(server, 'at@example.com');
        const answers = [await describeAnswer(await customer.order('@'.repeat(2000)))];
        answers.push(await describeAnswer(await customer.order('@'.repeat(500))));
        await customer.waitForEnd();
        if (fal.countTaken() === 0) return `${answers.join(', ')}, and nothing was ordered`;
        const isAlive = (await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
        return `${answers.join(', ')}, and the server ${isAlive ? 'answers' : 'hangs'} meanwhile`;
      }),
  },
  {
    name: 'orders that the provider refuses and charges, with stars that come back each time',
    expected: '200 200 200 429 engine_refusals_reached, 3 paid runs, and a stranger 200',
    try: () =>
      withPaidEngine(async ({ server, fal }) => {
        const customer = await Customer.enter(server, 'refused@example.com');
        const stranger = await Customer.enter(server, 'stranger@example.com');
        fal.behave({ fate: { kind: 'failed', answer: modelError('content_policy_violation') }, times: 3 });
        const answers: string[] = [];
        for (let order = 0; order < 4; order++) {
          answers.push(await describeAnswer(await customer.change()));
          await customer.waitForEnd();
        }
        const paid = fal.countTaken();
        return `${answers.join(' ')}, ${paid} paid runs, and a stranger ${await describeAnswer(await stranger.change())}`;
      }),
  },
  {
    name: 'a free account beyond its share of the budget',
    expected: '200 429 engine_share_reached, and a stranger 200',
    try: () =>
      withPaidEngine(async ({ server }) => {
        const customer = await Customer.enter(server, 'greedy@example.com');
        const stranger = await Customer.enter(server, 'stranger@example.com');
        const answers = [await describeAnswer(await customer.order())];
        await customer.waitForEnd();
        answers.push(await describeAnswer(await customer.order()));
        return `${answers.join(' ')}, and a stranger ${await describeAnswer(await stranger.order())}`;
      }),
  },
  {
    name: 'two odd orders of one account',
    expected: '200 200, and a stranger 200',
    try: () =>
      withPaidEngine(async ({ server, fal }) => {
        const customer = await Customer.enter(server, 'odd@example.com');
        const stranger = await Customer.enter(server, 'stranger@example.com');
        const answers: string[] = [];
        for (let order = 0; order < 2; order++) {
          fal.behave({ fate: { kind: 'failed', answer: modelError('value_error') } });
          answers.push(await describeAnswer(await customer.change()));
          await customer.waitForEnd();
        }
        return `${answers.join(' ')}, and a stranger ${await describeAnswer(await stranger.change())}`;
      }),
  },
];
