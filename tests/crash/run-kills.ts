import { killAtRandom } from './kill-at-random.ts';

const count = Number(process.argv[2] ?? 50);
const figures = await killAtRandom(count);
console.log(figures);
process.exitCode = figures.lost === 0 ? 0 : 1;
