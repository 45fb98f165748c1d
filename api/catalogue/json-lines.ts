/** One step of a path into a JSON value: a key or an index. */
type Step = PropertyKey;

/** The line, from 1, at which a text stops being valid JSON. The last line when the error does not tell. */
export function findSyntaxErrorLine(text: string, { message }: SyntaxError): number {
  const line = /\(line (\d+) column \d+\)/.exec(message)?.[1];
  return line === undefined ? text.trimEnd().split('\n').length : Number(line);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/**
 * The line, from 1, where the value at `path` begins in a valid JSON text. If there is no such value, the line of its
 * nearest parent.
 */
export function findJsonLine(text: string, path: readonly Step[]): number {
  const tokens = [...text.matchAll(TOKEN)];
  let at = 0;
  let offset = 0;

  /** Walks through one value. Stores its position when it is on the path. */
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
