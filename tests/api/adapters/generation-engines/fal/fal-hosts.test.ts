import { describe, expect, test } from 'vitest';
import { createFalHosts } from '#api/adapters/generation-engines/fal/fal-hosts.ts';

const { isApi, isFile } = createFalHosts(['http://127.0.0.1:4000/queue'], ['files.example']);

describe('the address of a file', () => {
  test.each([
    'https://v3b.fal.media/files/a.png',
    'https://fal.media/files/a.png',
    'https://cdn.staging.fashn.ai/1/output_0.png',
    'https://files.example/a.png',
    'https://eu.files.example/a.png',
    'http://127.0.0.1:4000/files/a.png',
  ])('%s is known', (url) => {
    expect(isFile(url)).toBe(true);
  });

  test.each([
    'http://v3b.fal.media/files/a.png',
    'https://notfal.media/a.png',
    'https://fal.media.example/a.png',
    'https://fal.media@elsewhere.example/a.png',
    'https://fal.media:444/a.png',
    'http://127.0.0.1:4001/a.png',
    'file:///etc/passwd',
    'no address',
  ])('%s is not', (url) => {
    expect(isFile(url)).toBe(false);
  });
});

test('the key goes to the hosts of the interface only, and never to those of files', () => {
  expect(['https://queue.fal.run/a', 'https://rest.fal.ai/a', 'http://127.0.0.1:4000/queue/a'].map(isApi)).toEqual(
    Array(3).fill(true),
  );
  expect(['https://v3.fal.media/a', 'https://cdn.fashn.ai/a', 'https://files.example/a'].map(isApi)).toEqual(
    Array(3).fill(false),
  );
});
