export interface ReceivedEvent {
  event: string;
  data: unknown;
}

export interface EventReader {
  status: number;
  headers: Headers;
  /** The next event; null when the stream has ended. Rejects when no event comes in time. */
  next(timeoutMs?: number): Promise<ReceivedEvent | null>;
  close(): void;
}

/** Reads a stream of server-sent events as a browser does. */
export async function openEvents(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const closing = new AbortController();
  const response = await fetch(url, { headers, signal: closing.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  // A read that outlasted its caller's patience is kept, so that the next caller gets its event.
  let pending: Promise<ReceivedEvent | null> | null = null;
  const read = async (): Promise<ReceivedEvent | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) return null;
        text += chunk.value;
        continue;
      }
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const event = lines.find((line) => line.startsWith('event: '))?.slice(7);
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6);
      if (event) return { event, data: JSON.parse(data ?? 'null') };
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    next: async (timeoutMs = 60_000) => {
      pending ??= read();
      const event = await Promise.race([
        pending,
        new Promise<never>((_, reject) =>
          setTimeout(() => reject(new Error(`no event in ${timeoutMs} ms`)), timeoutMs).unref(),
        ),
      ]);
      pending = null;
      return event;
    },
    close: () => closing.abort(),
  };
}
