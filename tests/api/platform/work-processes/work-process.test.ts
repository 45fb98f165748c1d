import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { workIn } from '#api/platform/work-processes/work-process.ts';
import { WorkProcessError } from '#api/platform/work-processes/work-process-error.ts';
import { runChildScript } from '#tests/support/child-script.ts';
import { startNoProcesses } from '#tests/support/no-processes.ts';
import type * as SampleWork from './sample-work.ts';

const MODULE = new URL('./sample-work.ts', import.meta.url);

/** Whether it runs. One that has ended may wait until its parent takes note. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('work runs in another process, reports and returns', async () => {
  const run = workIn<typeof SampleWork>(MODULE);
  const shares: number[] = [];
  const result = await run('double', new Uint8Array([1, 2]), { onMessage: (share) => shares.push(share) });
  expect([...result]).toEqual([2, 4]);
  expect(shares).toEqual([0.5, 1]);
  expect((await run('describeProcess', null)).pid).not.toBe(process.pid);
});

test('the process gets no secrets of the environment', async () => {
  vi.stubEnv('SESSION_SECRET', 'secret');
  try {
    expect(await workIn<typeof SampleWork>(MODULE)('describeProcess', null)).toMatchObject({ hasSecret: false });
  } finally {
    vi.unstubAllEnvs();
  }
});

test.runIf(process.platform === 'linux')('the process leaves the processor to the server', async () => {
  const { priority, autogroup } = await workIn<typeof SampleWork>(MODULE)('describeProcess', null);
  expect(priority).toBe(10);
  const awaited = workIn<typeof SampleWork>(MODULE, { isAwaited: true, maxTasks: 2 });
  expect((await awaited('describeProcess', null)).priority).toBe(5);
  // Without it the priority would only count within the process's own session.
  if (autogroup !== null) expect(autogroup).toMatch(/ nice 10$/);
});

test('an error keeps its name, message, code and system call', async () => {
  const failure = workIn<typeof SampleWork>(MODULE)('readMissing', '/no/such/file');
  await expect(failure).rejects.toMatchObject({
    name: 'Error',
    message: expect.stringContaining('/no/such/file'),
    code: 'ENOENT',
    syscall: 'open',
  });
});

test('a crash is an error that names the signal', async () => {
  await expect(workIn<typeof SampleWork>(MODULE)('crash', 'SIGSEGV')).rejects.toThrow('«crash» ended with SIGSEGV');
});

test('a task whose process is killed, or cannot be started, is not blamed', async () => {
  const run = workIn<typeof SampleWork>(MODULE, { maxTasks: 9, idleMs: 60_000 });
  await expect(run('crash', 'SIGKILL')).rejects.toThrow(WorkProcessError);
  const startProcesses = startNoProcesses();
  try {
    await expect(run('describeProcess', null)).rejects.toThrow(WorkProcessError);
  } finally {
    startProcesses();
  }
  const missing = new URL('./no-such-work.ts', import.meta.url);
  await expect(workIn<typeof SampleWork>(missing)('describeProcess', null)).rejects.toThrow(WorkProcessError);
});

test('short work that crashes is done once more in a new process, and then it is to blame', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'podium-crash-'));
  const run = workIn<typeof SampleWork>(MODULE, { maxTasks: 9, idleMs: 60_000 });
  try {
    const [once, twice] = [path.join(folder, 'once'), path.join(folder, 'twice')];
    await writeFile(once, '1');
    await writeFile(twice, '');
    expect(await run('crashTwice', once)).toBe('done');
    const blamed = await run('crashTwice', twice).catch((error: unknown) => error);
    expect(blamed).toMatchObject({ message: expect.stringContaining('ended with SIGSEGV') });
    expect(blamed).not.toBeInstanceOf(WorkProcessError);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('what a task reports after its end is not taken for a message of the next one', async () => {
  const run = workIn<typeof SampleWork>(MODULE, { maxTasks: 9, idleMs: 60_000 });
  const heard: string[] = [];
  await run('reportLate', null);
  await run('reportAfterIt', null, { onMessage: (text) => heard.push(text) });
  expect(heard).toEqual(['own']);
});

test('a process that was started ahead does the next task, even while it still loads', async () => {
  const run = workIn<typeof SampleWork>(MODULE, { maxTasks: 9, idleMs: 60_000 });
  run.warmUp();
  // The second call finds the process of the first.
  run.warmUp();
  const { execPath } = process;
  // No other can be started.
  process.execPath = '/no/such/node';
  try {
    expect([...(await run('double', new Uint8Array([1])))]).toEqual([2]);
    const both = await Promise.allSettled([run('describeProcess', null), run('describeProcess', null)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  } finally {
    process.execPath = execPath;
  }
});

test('a process that cannot be started ahead is started for its task', async () => {
  const run = workIn<typeof SampleWork>(MODULE, { maxTasks: 9, idleMs: 60_000 });
  const startProcesses = startNoProcesses();
  run.warmUp();
  startProcesses();
  expect([...(await run('double', new Uint8Array([1])))]).toEqual([2]);
});

test('a signal for all processes of the server does not end the work', async () => {
  const run = workIn<typeof SampleWork>(MODULE);
  const folder = await mkdtemp(path.join(tmpdir(), 'podium-signals-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const started = Promise.withResolvers<number>();
  const work = run('waitForFile', path.join(folder, 'end'), { onMessage: started.resolve });
  const pid = await started.promise;
  process.kill(pid, 'SIGTERM');
  process.kill(pid, 'SIGINT');
  await writeFile(path.join(folder, 'end'), '');
  expect(await work).toBe('done');
});

test('an abort ends the process and what it has started, before the call settles', async () => {
  const stop = new AbortController();
  const pids: number[] = [];
  const work = workIn<typeof SampleWork>(MODULE)('hang', null, {
    signal: stop.signal,
    onMessage: (started) => {
      pids.push(...started);
      stop.abort(new Error('cancelled'));
    },
  });
  await expect(work).rejects.toThrow('cancelled');
  expect(pids).toHaveLength(2);
  expect(isAlive(pids[0] as number)).toBe(false);
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 60_000);
});

test('a process is used again up to its number of tasks, and has one task at a time', async () => {
  const run = workIn<typeof SampleWork>(MODULE, { maxTasks: 2, idleMs: 60_000 });
  const pids: number[] = [];
  for (let task = 0; task < 3; task++) pids.push((await run('describeProcess', null)).pid);
  expect(pids[1]).toBe(pids[0]);
  expect(pids[2]).not.toBe(pids[0]);
  const together = await Promise.all([run('describeProcess', null), run('describeProcess', null)]);
  expect(together[0].pid).not.toBe(together[1].pid);
});

test('a failed task does not end its process', async () => {
  const run = workIn<typeof SampleWork>(MODULE, { maxTasks: 9, idleMs: 60_000 });
  const { pid } = await run('describeProcess', null);
  await expect(run('readMissing', '/no/such/file')).rejects.toThrow('ENOENT');
  expect((await run('describeProcess', null)).pid).toBe(pid);
});

test('a process that has waited for a task long enough ends', async () => {
  const run = workIn<typeof SampleWork>(MODULE, { maxTasks: 9, idleMs: 1 });
  const { pid } = await run('describeProcess', null);
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 60_000);
  expect((await run('describeProcess', null)).pid).not.toBe(pid);
});

test.runIf(process.platform === 'linux')(
  'a machine without descriptors refuses a task, and starting ahead harms nobody',
  async () => {
    const server = runChildScript(`
    import { execFileSync } from 'node:child_process';
    import { closeSync, openSync } from 'node:fs';
    import { workIn } from '#api/platform/work-processes/work-process.ts';
    const run = workIn(new URL('${MODULE.href}'), { maxTasks: 9, idleMs: 60_000 });
    execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=100:100']);
    const files = [];
    try { for (;;) files.push(openSync('/dev/null')); } catch {}
    run.warmUp();
    await run('describeProcess', null).catch((error) => console.log(error.name));
    files.forEach((file) => closeSync(file));
    run.warmUp();
    console.log(typeof (await run('describeProcess', null)).pid);
    process.exit();
  `);
    expect(await server.nextLine()).toBe('WorkProcessError');
    expect(await server.nextLine()).toBe('number');
  },
);

test('no process outlives a server that is killed', async () => {
  const server = runChildScript(`
    import { workIn } from '#api/platform/work-processes/work-process.ts';
    const run = workIn(new URL('${MODULE.href}'));
    await run('hang', null, { onMessage: (pids) => console.log(pids.join()) });
  `);
  const pids = (await server.nextLine()).split(',').map(Number);
  expect(pids.every(isAlive)).toBe(true);
  await server.kill();
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 60_000);
});
