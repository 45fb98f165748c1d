interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}
/** An operation of OpenAPI. */
export interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** All parameters of the path except the position within a result, and all other fields that are named like an id. */
export function listIdFields({ parameters = [], requestBody }: Operation): string[] {
  const names = parameters
    .filter((parameter) => (parameter.in === 'path' ? parameter.name !== 'position' : looksLikeId(parameter.name)))
    .map(({ name }) => name);
  const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
  return [...names, ...new Set(schemas.flatMap(listProperties).filter(looksLikeId))];
}

/** The names of its fields, and of those of objects within it. */
function listProperties({ properties = {}, items, anyOf = [] }: Schema): string[] {
  const within = [...anyOf, ...Object.values(properties), ...(items ? [items] : [])];
  return [...Object.keys(properties), ...within.flatMap(listProperties)];
}

function looksLikeId(name: string): boolean {
  return /(^id|Id|_id|^url|Url|cursor|token)s?$/.test(name);
}

/** The full paths in Fastify's printed tree, where each line continues the one above it. */
export function listRoutes(tree: string): string[] {
  const parents: string[] = [];
  return tree
    .split('\n')
    .filter((line) => line.includes('── '))
    .map((line) => {
      const depth = line.indexOf('── ');
      const part = line.slice(depth + 3).replace(/ \([A-Z, ]+\)$/, '');
      parents.length = (depth - 1) / 4;
      const parent = parents.at(-1) ?? '';
      const route = (parent === '/' ? '' : parent) + (part.startsWith('/') || parent !== '/' ? part : `/${part}`);
      parents.push(route);
      return route;
    });
}
