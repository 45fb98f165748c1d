// A reporter for Vitest that writes a `TestReport` to the file of TEST_REPORT. Vitest's own JSON knows neither errors
// outside of tests nor that a test has not ended, as when its worker dies.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

const ROOT = path.resolve(import.meta.dirname, '..');

/** What a run of tests has seen. The lists have a line for each test. */
export interface TestReport {
  passed: number;
  /** Tests that failed or did not end, hooks that failed, files that cannot be loaded, errors outside of tests. */
  failed: string[];
  /** Passed on the second try. */
  late: string[];
  skipped: string[];
}

export default class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const report: TestReport = { passed: 0, failed: [], late: [], skipped: [] };
    const file = process.env.TEST_REPORT;
    if (!file) throw new Error('TEST_REPORT names no file for the report');
    for (const module of modules) addModule(report, module);
    report.failed.push(...unhandled.map((error) => `outside of tests: ${describeErrors([error])}`));
    writeFileSync(file, JSON.stringify(report));
  }
}

function addModule(report: TestReport, module: TestModule): void {
  // Some files run in two projects.
  const file = `${module.project.name} ${path.relative(ROOT, module.moduleId)}`;
  const broken = [
    { name: file, errors: module.errors() },
    ...[...module.children.allSuites()].map((suite) => ({
      name: `${file} > ${suite.fullName}`,
      errors: suite.errors(),
    })),
  ];
  for (const { name, errors } of broken) {
    if (errors.length > 0) report.failed.push(`${name}: ${describeErrors(errors)}`);
  }
  for (const test of module.children.allTests()) {
    const name = `${file} > ${test.fullName}`;
    const { state, errors = [] } = test.result();
    const described = `${name}: ${describeErrors(errors)}`;
    if (state === 'passed') report.passed += 1;
    else if (state === 'skipped') report.skipped.push(name);
    else report.failed.push(state === 'pending' ? `${name}: it did not end` : described);
    if (state === 'passed' && errors.length > 0) report.late.push(described);
  }
}

/** The first lines of each error and of its cause. */
function describeErrors(errors: readonly SerializedError[]): string {
  return (
    errors
      .flatMap((error) => (error.cause ? [error, error.cause] : [error]))
      // What was thrown may be no Error.
      .map((error) => firstLines(error.message || JSON.stringify(error)))
      .join('\n    ')
  );
}

function firstLines(text: string): string {
  return text.split('\n').slice(0, 4).join('\n    ');
}
