/**
 * Number of cases of a property test with the database. When PostgreSQL runs all of them, the embedded database runs a
 * third, because the code above the adapter is the same.
 */
export function propertyRuns(all: number): number {
  return process.env.TESTS_EMBEDDED_BESIDE_SERVER ? Math.ceil(all / 3) : all;
}
