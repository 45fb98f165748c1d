import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { until } from './until.ts';

export interface ReadMetrics {
  names: ReadonlySet<string>;
  /** The sum of the series whose labels contain these. 0 when there is none. */
  sum(name: string, labels?: Record<string, string>): number;
}

/** Asks as Prometheus does, until every part of them could be read: on a busy machine one may be late. */
export function readMetrics(server: FastifyInstance): Promise<ReadMetrics> {
  return until(async () => {
    const read = await readMetricsOnce(server);
    expect(read.sum('podium_figures_failed')).toBe(0);
    return read;
  });
}

export async function readMetricsOnce(server: FastifyInstance): Promise<ReadMetrics> {
  const { body } = await server.inject('/metrics');
  return parseMetrics(body);
}

export function parseMetrics(text: string): ReadMetrics {
  const series = text
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return { name, labels: Object.fromEntries(readLabels(labels)), value: Number(value) };
    });
  return {
    names: new Set(series.map(({ name }) => name)),
    sum: (name, labels = {}) =>
      series
        .filter((one) => one.name === name)
        .filter((one) => Object.entries(labels).every(([key, text]) => one.labels[key] === text))
        .reduce((sum, { value }) => sum + value, 0),
  };
}

function readLabels(text: string): [string, string][] {
  return [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [key, value]);
}
