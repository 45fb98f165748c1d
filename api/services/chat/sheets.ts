import { workIn } from '#api/platform/work-processes/work-process.ts';
import type * as SheetWork from './sheet-work.ts';

export const sheetWork = workIn<typeof SheetWork>(new URL('./sheet-work.ts', import.meta.url), {
  maxTasks: 50,
});
