import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFileFinder, parseCsv, readTable, TABLE_TEMPLATE } from '#shared/rules/batch-table.ts';

/** As Excel writes a cell. */
function writeCell(cell: string, separator: string): string {
  return [separator, '"', '\n', '\r'].some((mark) => cell.includes(mark)) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const cell = fc.string({ unit: fc.constantFrom('a', 'я', '7', ' ', ';', ',', '\t', '"', '\n'), maxLength: 8 });
/** A first cell without a mark of its own, so that the separator can be told. */
const table = fc.array(fc.tuple(fc.constant('x'), cell, cell, cell), { minLength: 1, maxLength: 6 });

describe('a table as Excel writes it', () => {
  test('is read cell by cell, whatever separator, line break and content', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(';', ',', '\t'), fc.constantFrom('\n', '\r\n'), (rows, separator, end) => {
        const heading = ['a', 'b', 'c', 'd'];
        const lines = [heading, ...rows].map((cells) => cells.map((one) => writeCell(one, separator)).join(separator));
        const read = parseCsv(`\ufeff${lines.join(end)}${end}`).map(({ cells }) => cells);
        expect(read).toEqual([heading, ...rows]);
      }),
    );
  });

  test('of any text gives lines whose numbers grow', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ';', '"', '\n', '\r', ' '), maxLength: 60 }), (text) => {
        const numbers = parseCsv(text).map(({ number }) => number);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        for (const { file, isInvalid } of readTable(text)) expect(isInvalid || file !== '').toBe(true);
      }),
    );
  });

  test('loses one line to a quotation mark that is never closed', () => {
    expect(parseCsv('a;b\n"x;1\ny;2').map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['"x', '1'],
      ['y', '2'],
    ]);
  });

  test('may name its separator, leave out the heading, or change the order of columns', () => {
    const line = { article: 'A-1', file: '1.jpg', set: null, note: 'срочно', isInvalid: false };
    expect(readTable('sep=,\nартикул,файл,набор,примечание\nA-1,1.jpg,,срочно')).toEqual([{ ...line, number: 3 }]);
    expect(readTable('A-1;1.jpg;;срочно')).toEqual([{ ...line, number: 1 }]);
    expect(readTable('Файл\tАртикул\tПримечание\n1.jpg\tA-1\tсрочно')).toEqual([{ ...line, number: 2 }]);
    expect(readTable(TABLE_TEMPLATE).map(({ isInvalid }) => isInvalid)).toEqual([false, false]);
  });

  test('has lines that cannot be used', () => {
    const invalid = (text: string) => readTable(text).map(({ isInvalid }) => isInvalid);
    expect(invalid('артикул;файл\nA-1;\nA-2;2.jpg')).toEqual([true, false]);
    expect(invalid(`артикул;файл\n${'A'.repeat(61)};1.jpg`)).toEqual([true]);
  });
});

describe('a line names a file', () => {
  const files = [
    { name: 'Плащ.JPG', folder: 'Осень' },
    { name: 'Плащ.jpg', folder: 'Зима' },
    { name: 'ART.1.png', folder: null },
  ];

  test.each([
    ['осень/плащ.jpg', 0],
    ['Зима\\Плащ', 1],
    ['C:\\Фото\\Зима\\Плащ.jpg', 1],
    ['плащ', 0],
    ['плащ'.normalize('NFD'), 0],
    ['ART.1', 2],
    ['art.1.PNG', 2],
    ['ART', null],
    ['Весна/Плащ.jpg', null],
    ['Весна/ART.1.png', 2],
  ])('%s', (named, index) => {
    expect(createFileFinder(files)(named)).toBe(index === null ? null : files[index]);
  });

  test('and of two files of a name the one that is not taken', () => {
    const find = createFileFinder(files);
    expect([find('плащ.jpg'), find('плащ.jpg'), find('плащ.jpg')]).toEqual([files[0], files[1], files[0]]);
  });
});
