/** The version whose folder layout this file knows. Another version may have moved its production build. */
export const WRITTEN_FOR = { 'react-router': '7.18.5' };

/**
 * Makes the bundler use the production build of react-router. By default the package gives its development build to
 * everybody who does not ask for another condition. `root` is the folder of the project.
 */
export function aliasReactRouter(root: string): { find: RegExp; replacement: string }[] {
  const build = `${root}/node_modules/react-router/dist/production`;
  return [
    { find: /^react-router$/, replacement: `${build}/index.mjs` },
    { find: /^react-router\/dom$/, replacement: `${build}/dom-export.mjs` },
  ];
}
