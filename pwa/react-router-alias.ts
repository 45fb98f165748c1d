/** The version whose folders this file knows. Another one may have moved its production build. */
export const WRITTEN_FOR = { 'react-router': '7.18.5' };

/**
 * The production build of react-router, for the bundler: by itself the package gives its development build to everybody who
 * does not ask for another condition. `root` is the folder of the project.
 */
export function aliasReactRouter(root: string): { find: RegExp; replacement: string }[] {
  const build = `${root}/node_modules/react-router/dist/production`;
  return [
    { find: /^react-router$/, replacement: `${build}/index.mjs` },
    { find: /^react-router\/dom$/, replacement: `${build}/dom-export.mjs` },
  ];
}
