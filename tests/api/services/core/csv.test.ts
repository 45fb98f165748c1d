import { expect, it } from 'vitest';
import { writeCsv } from '#api/services/core/csv.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+7 900', "'+7 900"],
  ['-1', "'-1"],
  ['\t=1', "'\t=1"],
  ['=1;2', `"'=1;2"`],
  ['«Купить»', '«Купить»'],
  ['a"b', '"a""b"'],
  ['a\nb', '"a\nb"'],
])('the text %j cannot become a formula or leave its cell', (text, cell) => {
  expect(writeCsv([[text, -5]])).toBe(`\u{feff}${cell};-5\r\n`);
});

it('a number has a decimal comma, without which a Russian Excel takes it for a date', () => {
  expect(writeCsv([[12.5, -290]])).toBe('\u{feff}12,5;-290\r\n');
});
