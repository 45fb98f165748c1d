import { setTimeout as wait } from 'node:timers/promises';
import { modelError } from '#tests/support/fake-fal-rules.ts';
import { type AbuseCase, describeAnswer } from './abuse-fixture.ts';
import { Customer, withPaidEngine } from './paid-engine.ts';

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
          // The house's own order after the first one, which must not get the failure of the second.
          while (fal.countTaken() < 2) await wait(250);
        }
        return `${answers.join(' ')}, and a stranger ${await describeAnswer(await stranger.change())}`;
      }),
  },
];
