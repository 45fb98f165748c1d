import { vi } from 'vitest';

/** What a page of the browser keeps: storage and cookies. */
export interface FakePage {
  stored: Map<string, string>;
  /** What the tab keeps, in sessionStorage. */
  keptByTab: Map<string, string>;
  /** By name. */
  cookies: Map<string, string>;
  /** As the browser tells of what another tab has changed. */
  changeElsewhere: (key: string, value: string | null) => void;
}

/** Puts the parts of a page that the session lives in into the place of the browser's; `vi.unstubAllGlobals` ends it. */
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

/** Storage whose keys are its own properties, as those of the browser's are. */
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
