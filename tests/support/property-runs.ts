/**
 * How many cases a property of the database draws. Beside a PostgreSQL, which draws all of them, the embedded database
 * gets a third: the code above the adapter is the same.
 */
export function propertyRuns(all: number): number {
  return process.env.TESTS_EMBEDDED_BESIDE_SERVER ? Math.ceil(all / 3) : all;
}
