import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright/test';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { ROW_STATES } from '#shared/rules/batches.ts';
import type { Visitor } from '#tests/support/running-server.ts';

const POLL_MS = 250;

export interface BatchAnswer {
  batch: Batch;
  rows: BatchRow[];
}

export interface BatchWatch {
  /** Waits for an answer of which this is true. */
  until(isReached: (answer: BatchAnswer) => boolean): Promise<BatchAnswer>;
  /** Answers so far, requests without one because the program was down, and what did not add up. */
  figures: { answers: number; unanswered: number; faults: string[] };
  stop(): Promise<void>;
}

/** Asks for a batch again and again, whether or not a page shows it, and adds its numbers up each time. */
export function watchBatch(visitor: Visitor, batchId: string): BatchWatch {
  const figures: BatchWatch['figures'] = { answers: 0, unanswered: 0, faults: [] };
  let waiting: { isReached: (answer: BatchAnswer) => boolean; resolve: (answer: BatchAnswer) => void }[] = [];
  let isStopped = false;

  async function poll(): Promise<void> {
    while (!isStopped) {
      const answer = await visitor.json<BatchAnswer>('GET', `/api/batches/${batchId}`).catch(() => null);
      if (answer) {
        figures.answers += 1;
        figures.faults.push(...findFaults(answer));
        const reached = waiting.filter(({ isReached }) => isReached(answer));
        waiting = waiting.filter((one) => !reached.includes(one));
        for (const { resolve } of reached) resolve(answer);
      } else figures.unanswered += 1;
      await wait(POLL_MS);
    }
  }
  const polling = poll();

  return {
    figures,
    until: (isReached) => new Promise((resolve) => waiting.push({ isReached, resolve })),
    async stop() {
      isStopped = true;
      await polling;
    },
  };
}

function findFaults({ batch: { counts }, rows }: BatchAnswer): string[] {
  const faults: string[] = [];
  const sum = ROW_STATES.reduce((total, state) => total + counts[state], 0);
  if (sum !== counts.all) faults.push(`the states add up to ${sum}: ${JSON.stringify(counts)}`);
  if (rows.length !== counts.all) faults.push(`${rows.length} rows of ${counts.all}`);
  for (const state of ROW_STATES) {
    const found = rows.filter((row) => row.state === state).length;
    if (found !== counts[state]) faults.push(`${found} rows are ${state}, and ${counts[state]} are counted`);
  }
  return faults;
}

export interface PageWatch {
  /** Sums that the page has shown, each text once. */
  sums: Set<string>;
  /** Trusted presses of a pointer or a key. */
  presses: number;
}

/** Notes every sum of the batch that a page ever shows, and counts what is pressed. */
export async function watchPage(page: Page, watch: PageWatch): Promise<void> {
  await page.exposeFunction('noteSum', (text: string) => void watch.sums.add(text));
  await page.exposeFunction('notePress', () => {
    watch.presses += 1;
  });
  await page.addInitScript(() => {
    const { noteSum, notePress } = globalThis as unknown as Record<'noteSum' | 'notePress', (text?: string) => void>;
    const note = () => {
      for (const { textContent } of document.querySelectorAll('p[role=status]')) {
        if (/: всего /.test(textContent.replaceAll('\u00a0', ' '))) noteSum(textContent.replaceAll('\u00a0', ' '));
      }
    };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
    addEventListener('click', ({ isTrusted, detail }) => isTrusted && detail > 0 && notePress(), true);
    addEventListener('keydown', ({ isTrusted, repeat }) => isTrusted && !repeat && notePress(), true);
  });
}

/** Those of the shown sums whose numbers do not add up to the last one. */
export function findWrongSums({ sums }: PageWatch): string[] {
  return [...sums].filter((text) => {
    const numbers = [...text.matchAll(/\d+/g)].map(([number]) => Number(number));
    const all = numbers.pop();
    return numbers.reduce((sum, number) => sum + number, 0) !== all;
  });
}
