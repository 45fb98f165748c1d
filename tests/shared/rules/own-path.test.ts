import { expect, test } from 'vitest';
import { isOwnPath, toOwnPath } from '#shared/rules/own-path.ts';

const OWN = 'https://podium.example';

test.each(['/app', '/dashboard/photoshoot?x=1#last'])('%s leads within the site', (path) => {
  expect([isOwnPath(path), toOwnPath(path, OWN), toOwnPath(OWN + path, OWN)]).toEqual([true, path, path]);
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/app/..\\\\evil.example',
  '/app/..//evil.example',
  '/\t/evil.example',
  '/a\\..\\evil',
  'javascript:alert(1)',
  'app',
  '',
])('%j may lead elsewhere', (path) => {
  expect([isOwnPath(path), toOwnPath(path, OWN)]).toEqual([false, null]);
});
