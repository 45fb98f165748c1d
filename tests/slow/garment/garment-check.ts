/**
 * Measures the garment check on the whole labelled set: precision and recall of «drifted» on the photos that it was
 * tuned with and on those held out, recall by kind of drift, and CPU of one comparison. Fails when the held-out half
 * misses the aim. A comparison costs more CPU the busier the machine is, so that is printed only.
 */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { measureResult, readSource } from '#api/adapters/garment-check/check-garment.ts';
import { inventPhoto } from '#tests/fixtures/draw-garment-pairs.ts';
import {
  HELD_OUT_SEEDS,
  type Judged,
  judgePhotos,
  nameOf,
  scoreOf,
  TUNING_SEEDS,
} from '#tests/support/garment-score.ts';

const AIM = 0.9;

if (isMainThread) {
  await measureCost();
  report('tuning', await judgeAll(TUNING_SEEDS));
  const heldOut = report('held out', await judgeAll(HELD_OUT_SEEDS));
  process.exitCode = heldOut.precision >= AIM && heldOut.recall >= AIM ? 0 : 1;
} else {
  parentPort!.postMessage(await judgePhotos([workerData as number]));
}

/** Judges each photo in a thread of its own, one thread for each core at a time. */
async function judgeAll(seeds: number[]): Promise<Judged[]> {
  const waiting = [...seeds];
  const judged: Judged[] = [];
  const work = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift())
      judged.push(...(await judgeApart(seed)));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return judged;
}

function judgeApart(seed: number): Promise<Judged[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: seed });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function report(name: string, judged: Judged[]) {
  const score = scoreOf(judged);
  const share = (value: number) => value.toFixed(2);
  console.log(
    `garment check, ${name}: precision ${share(score.precision)}, recall ${share(score.recall)} (aim ${AIM})`,
  );
  for (const [kind, group] of Map.groupBy(judged, ({ label }) => (label ? nameOf(label) : 'harmless'))) {
    const counts = Map.groupBy(group, ({ check }) => check.verdict);
    const verdicts = [...counts].map(([verdict, { length }]) => `${length} ${verdict}`);
    console.log(`  ${kind}: ${verdicts.join(', ')} of ${group.length}`);
  }
  console.log(`  mistakes: ${score.mistakes.join('; ') || 'none'}`);
  return score;
}

/** CPU of the second photo, when everything is compiled. */
async function measureCost(): Promise<void> {
  for (const seed of [1, 2]) {
    const { drawPhoto, results } = inventPhoto(seed);
    const [photo, result] = [await drawPhoto(), await results.at(-1)!.draw()];
    const before = process.cpuUsage();
    const source = await readSource(photo);
    const between = process.cpuUsage(before).user;
    await measureResult(source!, result);
    const all = process.cpuUsage(before).user;
    if (seed === 2) {
      const megabytes = (process.resourceUsage().maxRSS / 1024).toFixed(0);
      console.log(
        `CPU: photo ${(between / 1e6).toFixed(2)} s, result ${((all - between) / 1e6).toFixed(2)} s; ${megabytes} MB`,
      );
    }
  }
}
