import { vi } from 'vitest';

/** The storage and the cookies of a page. */
export interface FakePage {
  stored: Map<string, string>;
  /** The content of sessionStorage. */
  keptByTab: Map<string, string>;
  /** By name. */
  cookies: Map<string, string>;
  /** Changes a value as another tab would: the page gets an event. */
  changeElsewhere: (key: string, value: string | null) => void;
}

/** Replaces the parts of a page that hold the session, until `vi.unstubAllGlobals`. */
export function openFakePage(): FakePage {
  const stored = new Map<string, string>();
  const keptByTab = new Map<string, string>();
  const cookies = new Map<string, string>();
  const listeners = new Set<(event: object) => void>();
  vi.stubGlobal('localStorage', createStorage(stored));
  vi.stubGlobal('sessionStorage', createStorage(keptByTab));
  vi.stubGlobal('location', { protocol: 'https:' });
  vi.stubGlobal('document', {
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(text: string) {
      const [name = '', value = ''] = text.split(/[=;]/);
      if (/Max-Age=0/.test(text)) cookies.delete(name);
      else cookies.set(name, value);
    },
  });
  vi.stubGlobal('addEventListener', (name: string, listener: (event: object) => void) => {
    if (name === 'storage') listeners.add(listener);
  });
  vi.stubGlobal('removeEventListener', (_name: string, listener: (event: object) => void) =>
    listeners.delete(listener),
  );
  return {
    stored,
    keptByTab,
    cookies,
    changeElsewhere: (key, value) => {
      if (value === null) stored.delete(key);
      else stored.set(key, value);
      for (const listener of listeners) listener({ key });
    },
  };
}

/** Storage whose keys are own properties, as in a browser. */
function createStorage(values: Map<string, string>): object {
  const methods = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
    removeItem: (key: string) => values.delete(key),
  };
  return new Proxy(methods, {
    ownKeys: () => [...values.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}
