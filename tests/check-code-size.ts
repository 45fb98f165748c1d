// A check of `npm run check`: how much JavaScript the first pages load, against their budgets. Bytes do not vary.
import {
  buildCode,
  CODE_BUDGETS,
  type CodeFile,
  listClosure,
  type MeasuredPage,
  weigh,
} from './support/measure-code.ts';

const SHOWN = 12;

const code = await buildCode();
for (const [page, budget] of Object.entries(CODE_BUDGETS) as [MeasuredPage, number][]) {
  const files = listClosure(code, page);
  const kib = weigh(files);
  console.log(`${page}: ${kib.toFixed(1)} KiB of code (gzip) in ${files.length} files, budget ${budget}`);
  if (kib <= budget) continue;
  process.exitCode = 1;
  console.log(`  ${page} is over its budget. Its largest modules, before minification:`);
  for (const [module, bytes] of listLargest(files)) console.log(`    ${(bytes / 1024).toFixed(1)} KiB ${module}`);
}

function listLargest(files: readonly CodeFile[]): [string, number][] {
  const modules = files.flatMap((file) => [...file.modules]);
  return modules.toSorted(([, one], [, other]) => other - one).slice(0, SHOWN);
}
