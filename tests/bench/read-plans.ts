import { chmodSync, closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

const FILE = 'plans.log';
/** The log is complete when it has not grown for this long. */
const SETTLE_MS = 300;
/** A table this small is read whole at any size, and rightly so. */
const SMALL_TABLE_ROWS = 500;
/** Tables that grow with the days, and with what has changed in the last hour, but not with the accounts. */
const TABLES_BY_DAY = ['daily_counts', 'count_changes'];

/** A node of EXPLAIN (FORMAT JSON). */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Name'?: string | undefined;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[] | undefined;
}
const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    'Shared Hit Blocks': z.number(),
    'Shared Read Blocks': z.number(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.object({ 'Query Text': z.string(), Plan: planNode });

export interface Statement {
  text: string;
  /** Pages that it has read. */
  pages: number;
  /** The nodes of its plan, and the indexes that they use. */
  plan: string;
  /** Tables that were read whole. */
  scanned: string[];
}

/**
 * Reads what PostgreSQL has explained in its log (auto_explain: EXPLAIN with ANALYZE and BUFFERS) of every statement
 * that it has really run.
 */
export class PlanLog {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'podium-plans-'));

  constructor() {
    // PostgreSQL may run as another user.
    chmodSync(this.#folder, 0o777);
  }

  /** The settings of a server that explains its statements into this log. */
  get settings(): Record<string, string | number> {
    return {
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': 0,
      'auto_explain.log_analyze': 'on',
      'auto_explain.log_buffers': 'on',
      'auto_explain.log_timing': 'off',
      'auto_explain.log_format': 'json',
      'auto_explain.log_nested_statements': 'on',
      logging_collector: 'on',
      log_directory: this.#folder,
      ...{ log_filename: FILE, log_rotation_size: 0, log_rotation_age: 0 },
      log_line_prefix: '%a§',
    };
  }

  /** The statements that `run` has caused, in their order. `isMeant` leaves out those of others. */
  async read(run: () => Promise<unknown>, isMeant: (text: string) => boolean): Promise<Statement[]> {
    await this.#settle();
    const before = this.#size;
    await run();
    await this.#settle();
    const text = this.#readFrom(before);
    const plans = [...text.matchAll(/§LOG: {2}duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/g)]
      .map(([, json = '']) => explained.parse(JSON.parse(json)))
      .filter((plan) => isMeant(plan['Query Text']));
    if (plans.length === 0) throw new Error(`PostgreSQL explained nothing:\n${text.slice(0, 2000)}`);
    return plans.map(({ Plan, 'Query Text': text }) => ({
      text: text.replaceAll(/\s+/g, ' '),
      pages: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'],
      plan: describePlan(Plan),
      scanned: listScanned(Plan),
    }));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The collector of the log writes a moment later. */
  async #settle(): Promise<void> {
    for (let previous = -1; previous !== this.#size; ) {
      previous = this.#size;
      await wait(SETTLE_MS);
    }
  }

  get #size(): number {
    return statSync(path.join(this.#folder, FILE)).size;
  }

  #readFrom(start: number): string {
    const file = openSync(path.join(this.#folder, FILE), 'r');
    const content = Buffer.alloc(this.#size - start);
    readSync(file, content, 0, content.length, start);
    closeSync(file);
    return content.toString('utf8');
  }
}

function describePlan(node: PlanNode): string {
  const own = [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ');
  return [own, ...(node.Plans ?? []).map((child) => describePlan(child))].join(' < ');
}

function listScanned(node: PlanNode): string[] {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const table = node['Relation Name'] ?? 'a table';
  const isWhole = node['Node Type'] === 'Seq Scan' && rows > SMALL_TABLE_ROWS && !TABLES_BY_DAY.includes(table);
  return [...(isWhole ? [table] : []), ...(node.Plans ?? []).flatMap((child) => listScanned(child))];
}
