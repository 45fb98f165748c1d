// Runs with every test file that shares its worker with others: each restores its globals at its end. The state of
// loaded modules stays. A test that changes it needs modules of its own (ISOLATED_TESTS in vite.config.ts), or puts it
// back, as `closeScreen` does.
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
