import { describe, expect, test } from 'vitest';
import { follow, orderOf, prepareOrders, submitJob } from '#tests/api/adapters/generation-engines/engine-contract.ts';
import type { FalWebhookFault, SignedWebhook } from '#tests/support/fake-fal-webhooks.ts';
import { enterFal } from './fal-harness.ts';

/** A finished job, and how the engine reads a notification about it. */
async function enterFinished() {
  await prepareOrders();
  const { fake, engine } = await enterFal();
  const order = orderOf('model_change', engine);
  const job = await submitJob(engine, order);
  await follow(engine, job, order);
  const read = ({ headers, body }: SignedWebhook) => engine.parseWebhook?.({ headers, body: Buffer.from(body) });
  return { fake, job, read, sign: (fault?: FalWebhookFault) => fake.signWebhook(job.id, fault) };
}

describe('a notification of fal', () => {
  test('names its job, also when it comes twice or has no result in it', async () => {
    const { job, read, sign } = await enterFinished();
    const message = sign();
    expect(await read(message)).toEqual({ jobId: job.id });
    expect(await read(message)).toEqual({ jobId: job.id });
    expect(await read(sign('without_payload'))).toEqual({ jobId: job.id });
  });

  test.each(['late', 'forged', 'foreign', 'misaddressed'] as const)('that is %s is not believed', async (fault) => {
    const { read, sign } = await enterFinished();
    expect(await read(sign(fault))).toBeNull();
  });

  test('is not believed when anything in it was changed after it was signed', async () => {
    const { read, sign } = await enterFinished();
    const { headers, body } = sign();
    expect(await read({ headers, body: body.replace('"OK"', '"ERROR"') })).toBeNull();
    for (const name of Object.keys(headers).filter((one) => one.startsWith('x-fal-'))) {
      const { [name]: taken = '', ...others } = headers;
      expect([name, await read({ headers: others, body })]).toEqual([name, null]);
      const changed = taken.replace(/.$/, (last) => (last === '1' ? '2' : '1'));
      expect([name, await read({ headers: { ...headers, [name]: changed }, body })]).toEqual([name, null]);
    }
  });

  test('is not even asked for while the operator has not said which account is theirs', async () => {
    const { engine } = await enterFal({ webhooks: null });
    expect(engine.parseWebhook).toBeUndefined();
  });

  test('is checked with keys that are fetched once, and once more when they do not fit', async () => {
    const { fake, job, read, sign } = await enterFinished();
    expect(await Promise.all([read(sign()), read(sign()), read(sign())])).toEqual(Array(3).fill({ jobId: job.id }));
    expect(await read(sign())).toEqual({ jobId: job.id });
    expect(fake.calls.jwks).toBe(1);
    fake.rotateKeys();
    expect(await read(sign())).toEqual({ jobId: job.id });
    expect(fake.calls.jwks).toBe(2);
    expect(await read(sign('forged'))).toBeNull();
    expect(fake.calls.jwks).toBe(3);
  });

  test('is not believed while the keys cannot be fetched, and is afterwards', async () => {
    const { fake, job, read, sign } = await enterFinished();
    fake.behave({ call: ['jwks', { status: 503 }] });
    expect(await read(sign())).toBeNull();
    fake.behave({ call: ['jwks', { status: 200, body: { keys: [] } }] });
    expect(await read(sign())).toBeNull();
    expect(await read(sign())).toEqual({ jobId: job.id });
  });
});
