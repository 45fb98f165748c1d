/** One step into a JSON value: a key or an index. */
type Step = PropertyKey;

/** The line, from 1, where a text ceases to be JSON; the last one where the error does not say. */
export function findSyntaxErrorLine(text: string, { message }: SyntaxError): number {
  const line = /\(line (\d+) column \d+\)/.exec(message)?.[1];
  return line === undefined ? text.trimEnd().split('\n').length : Number(line);
}

/** What a JSON text is made of, as far as the way through it needs to tell. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/**
 * The line, from 1, where the value at `path` begins in a valid JSON text; of its nearest parent where there is no
 * such value.
 */
export function findJsonLine(text: string, path: readonly Step[]): number {
  const tokens = [...text.matchAll(TOKEN)];
  let at = 0;
  let offset = 0;

  /** Walks over one value; what lies on the path leaves its place. */
  function walk(depth: number, isOnPath: boolean): void {
    const token = tokens[at];
    if (!token) return;
    if (isOnPath) offset = token.index;
    at++;
    if (token[0] === '{') walkMembers(depth, isOnPath, '}');
    else if (token[0] === '[') walkMembers(depth, isOnPath, ']');
  }

  function walkMembers(depth: number, isOnPath: boolean, end: '}' | ']'): void {
    for (let index = 0; tokens[at] && tokens[at]?.[0] !== end; index++) {
      let key: Step = index;
      if (end === '}') {
        key = JSON.parse(tokens[at]?.[0] ?? '""');
        at += 2;
      }
      walk(depth + 1, isOnPath && path[depth] === key);
      if (tokens[at]?.[0] === ',') at++;
    }
    at++;
  }

  walk(0, true);
  return text.slice(0, offset).split('\n').length;
}
