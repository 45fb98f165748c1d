/**
 * Passes on the chunks of a stream, for a pipeline. Throws when there are more or fewer bytes than expected. The last
 * chunk comes only after the stream has ended, so no receiver takes a wrong file for a complete one.
 */
export function expectBytes(bytes: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let seen = 0;
    let held: Buffer | null = null;
    for await (const chunk of source) {
      seen += chunk.length;
      if (seen > bytes) break;
      if (held) yield held;
      held = chunk;
    }
    if (seen !== bytes) throw new Error(`A stream of ${bytes} bytes gave ${seen > bytes ? 'more' : `only ${seen}`}`);
    if (held) yield held;
  };
}
