import { setTimeout as wait } from 'node:timers/promises';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { createFakeFal, type FakeFal } from '#tests/support/fake-fal.ts';
import { type RunningServer, Visitor } from '#tests/support/running-server.ts';
import { withServer } from './own-server.ts';

/** One video of 0.35 is within 5 % of it, and two are not. */
const DAILY_BUDGET = '10';

/** A server of its own with a paid engine, because the one of the other themes renders by itself. */
export async function withPaidEngine(
  attempt: (place: { server: RunningServer; fal: FakeFal }) => Promise<string>,
  settings: Record<string, string> = {},
): Promise<string> {
  const fal = await createFakeFal();
  const env = { ...fal.settings, ENGINE: 'fal', ENGINE_DAILY_BUDGET: DAILY_BUDGET, GARMENT_CHECK: 'off', ...settings };
  try {
    return await withServer({ env }, (server) => attempt({ server, fal }));
  } finally {
    await fal.close();
  }
}

/** Somebody with a photo, who has accepted that it goes abroad. */
export class Customer extends Visitor {
  imageId = '';

  static async enter(server: RunningServer, email: string): Promise<Customer> {
    const customer = new Customer(server);
    await customer.register(email);
    await customer.prepare();
    return customer;
  }

  /** Accepts that photos go abroad, and uploads one. */
  async prepare(): Promise<void> {
    const { transfer } = await this.json<{ transfer: { inForce: string } }>('GET', '/api/account/consents');
    await this.json('POST', '/api/account/consents', { kind: 'transfer', version: transfer.inForce });
    this.imageId = await this.uploadPhoto(await drawProductPhoto('garment', { width: 900, height: 1200 }));
  }

  order(prompt?: string): Promise<Response> {
    const settings = prompt === undefined ? {} : { prompt };
    return this.request('POST', '/api/generate', { imageId: this.imageId, settings });
  }

  /** Changes the background, which costs the engine a tenth of a video. */
  async change(): Promise<Response> {
    const { models, backgrounds } = await this.json<Record<string, { imageUrl: string }[]>>('GET', '/api/catalogue');
    const form = new FormData();
    form.set('imageId', this.imageId);
    form.set('modelImageUrl', models?.[0]?.imageUrl ?? '');
    form.set('backgroundImageUrl', backgrounds?.find(({ imageUrl }) => imageUrl)?.imageUrl ?? '');
    return this.request('POST', '/api/change-model', form);
  }

  /** Returns the id of the started session. */
  async startPhotosession(): Promise<string> {
    const form = new FormData();
    form.set('imageId', this.imageId);
    return (await this.json<{ sessionId: string }>('POST', '/api/photosession', form)).sessionId;
  }

  async readBalance(): Promise<number> {
    return (await this.json<{ balance: number }>('GET', '/api/stars/balance')).balance;
  }

  async waitForEnd(): Promise<void> {
    for (;;) {
      const { activeGenerations } = await this.json<{ activeGenerations: unknown[] }>('GET', '/api/active-generations');
      if (activeGenerations.length === 0) return;
      await wait(250);
    }
  }
}
