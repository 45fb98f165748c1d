import { expect, test } from 'vitest';
import { KeyedSemaphore, Semaphore } from '#api/platform/semaphore.ts';

function createTask() {
  let finish = (_failure?: Error) => {};
  const ended = new Promise<void>((resolve, reject) => {
    finish = (failure) => (failure ? reject(failure) : resolve());
  });
  const task = {
    hasStarted: false,
    finish,
    run() {
      task.hasStarted = true;
      return ended;
    },
  };
  return task;
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('two run, the third starts when one of them ends, even in failure', async () => {
  const slots = new Semaphore({ permits: 2, maxWaiting: 5 });
  const tasks = [createTask(), createTask(), createTask(), createTask()] as const;
  const runs = tasks.map((task) => slots.run(task.run));
  await settle();
  expect(tasks.map(({ hasStarted }) => hasStarted)).toEqual([true, true, false, false]);
  tasks[1].finish(new Error('broken'));
  await expect(runs[1]).rejects.toThrow('broken');
  await settle();
  expect(tasks.map(({ hasStarted }) => hasStarted)).toEqual([true, true, true, false]);
  tasks[0].finish();
  tasks[2].finish();
  await settle();
  expect(tasks[3].hasStarted).toBe(true);
  tasks[3].finish();
  await Promise.all([runs[0], runs[2], runs[3]]);
});

test('a full queue refuses at once and is open again later', async () => {
  const slots = new Semaphore({ permits: 1, maxWaiting: 1 });
  const [running, waiting] = [createTask(), createTask()];
  const runs = [slots.run(running.run), slots.run(waiting.run)];
  await expect(slots.run(async () => {})).rejects.toMatchObject({
    code: 'unavailable',
    extra: { retryAfter: 5 },
  });
  running.finish();
  waiting.finish();
  await Promise.all(runs);
  await expect(slots.run(async () => 'done')).resolves.toBe('done');
});

test('a full queue refuses by the code that it was made with', async () => {
  const slots = new Semaphore({ permits: 1, maxWaiting: 0, refusal: 'too_many_requests' });
  const running = createTask();
  const run = slots.run(running.run);
  await expect(slots.run(async () => {})).rejects.toMatchObject({ code: 'too_many_requests' });
  running.finish();
  await run;
});

test('while work waits aside, another has its place; then it waits for one again', async () => {
  const slots = new Semaphore({ permits: 1, maxWaiting: 5 });
  const [slow, other, rest] = [createTask(), createTask(), createTask()];
  const first = slots.run(async () => {
    await slots.aside(slow.run);
    await rest.run();
  });
  const second = slots.run(other.run);
  await settle();
  expect([slow, other, rest].map(({ hasStarted }) => hasStarted)).toEqual([true, true, false]);
  slow.finish();
  await settle();
  expect(rest.hasStarted).toBe(false);
  other.finish();
  await second;
  await settle();
  expect(rest.hasStarted).toBe(true);
  rest.finish();
  await first;
});

test('with keys, the work of one waits for its own and not before that of others', async () => {
  const slots = new KeyedSemaphore<string>({ permits: 1, maxWaiting: 1 });
  const [first, second, other] = [createTask(), createTask(), createTask()] as const;
  const runs = [slots.run('anna', first.run), slots.run('anna', second.run), slots.run('boris', other.run)];
  await settle();
  expect([first, second, other].map(({ hasStarted }) => hasStarted)).toEqual([true, false, true]);
  await expect(slots.run('anna', createTask().run)).rejects.toMatchObject({ code: 'unavailable' });
  for (const task of [first, second, other]) task.finish();
  await Promise.all(runs);
  expect(second.hasStarted).toBe(true);
});

test('a signal takes a waiting call out of the queue, and one that runs goes on', async () => {
  const slots = new Semaphore({ permits: 1, maxWaiting: 5 });
  const stop = new AbortController();
  const [running, waiting, last] = [createTask(), createTask(), createTask()];
  const runs = [slots.run(running.run, stop.signal), slots.run(waiting.run, stop.signal), slots.run(last.run)];
  stop.abort(new Error('not wanted any more'));
  await expect(runs[1]).rejects.toThrow('not wanted any more');
  running.finish();
  await settle();
  expect([waiting.hasStarted, last.hasStarted]).toEqual([false, true]);
  last.finish();
  await Promise.all([runs[0], runs[2]]);
  await expect(slots.run(async () => 'late', stop.signal)).rejects.toThrow('not wanted any more');
});
