import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createTestApp, type TestApp, type TestAppOptions } from './test-app.ts';
import { nextAddress, type TestUser } from './users.ts';

interface Call {
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  payload?: object;
  headers?: Record<string, string>;
}

export interface UsedTestApp extends TestApp {
  /** Sends a request of this person. A visitor has an empty cookie. */
  call(user: Pick<TestUser, 'cookie'>, call: Call): Promise<LightMyRequestResponse>;
  /** Posts from an address of its own, so that tests do not share limits by address. */
  post(url: string, payload: object, caller?: { cookie?: string; address?: string }): Promise<LightMyRequestResponse>;
}

/** The whole server for the tests of one file or one `describe`. Registers the hooks itself. */
export function useTestApp(options?: TestAppOptions): UsedTestApp {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp(options);
  });
  afterAll(() => testApp.close());

  return {
    get app() {
      return testApp.app;
    },
    get server() {
      return testApp.server;
    },
    get engine() {
      return testApp.engine;
    },
    get database() {
      return testApp.database;
    },
    get outboxFolder() {
      return testApp.outboxFolder;
    },
    close: () => testApp.close(),
    call: ({ cookie }, { method = 'GET', url, payload, headers = {} }) =>
      testApp.server.inject({ method, url, headers: { cookie, ...headers }, ...(payload ? { payload } : {}) }),
    post: (url, payload, { cookie = '', address = nextAddress() } = {}) =>
      testApp.server.inject({ method: 'POST', url, payload, remoteAddress: address, headers: { cookie } }),
  };
}
