// A reporter for Vitest that writes a `TestReport` to the file of TEST_REPORT. Vitest's own JSON knows neither errors
// outside of tests nor that a test has not ended, as when its worker dies.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

const ROOT = path.resolve(import.meta.dirname, '..');

/** What a run of tests has seen. The lists have a line for each test. */
export interface TestReport {
  passed: number;
  /** Tests that failed or did not end, files that cannot be loaded, set-ups that failed, errors outside of tests. */
  failed: string[];
  /** Passed on the second try. */
  late: string[];
  skipped: string[];
}

export default class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const report: TestReport = { passed: 0, failed: [], late: [], skipped: [] };
    for (const module of modules) addModule(report, module);
    report.failed.push(...unhandled.map((error) => `outside of tests: ${describe([error])}`));
    writeFileSync(process.env.TEST_REPORT ?? '', JSON.stringify(report));
  }
}

function addModule(report: TestReport, module: TestModule): void {
  const file = path.relative(ROOT, module.moduleId);
  const broken = [
    { name: file, errors: module.errors() },
    ...[...module.children.allSuites()].map((suite) => ({
      name: `${file} > ${suite.fullName}`,
      errors: suite.errors(),
    })),
  ];
  for (const { name, errors } of broken) if (errors.length > 0) report.failed.push(`${name}: ${describe(errors)}`);
  for (const test of module.children.allTests()) {
    const name = `${file} > ${test.fullName}`;
    const { state, errors = [] } = test.result();
    const described = `${name}: ${describe(errors)}`;
    if (state === 'passed') report.passed += 1;
    else if (state === 'skipped') report.skipped.push(name);
    else report.failed.push(state === 'pending' ? `${name}: it did not end` : described);
    if (state === 'passed' && errors.length > 0) report.late.push(described);
  }
}

/** The first lines of each message, and of its cause. */
function describe(errors: readonly SerializedError[]): string {
  const messages = errors.flatMap(({ message, cause }) => [message, ...(cause ? [String(cause.message)] : [])]);
  return messages.map((message) => message.split('\n').slice(0, 4).join('\n    ')).join('\n    ');
}
