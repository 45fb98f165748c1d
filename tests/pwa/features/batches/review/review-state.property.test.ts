import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  applyDecisions,
  type Decided,
  decide,
  FIRST_STATE,
  findCurrent,
  isClean,
  leaveRow,
  listUndecided,
  move,
  orderRows,
  type ReviewedRow,
  type ReviewState,
  undo,
} from '#pwa/features/batches/review/review-state.ts';

type Verdict = 'pending' | 'kept' | 'drifted' | 'not_comparable';

const rowOf = (id: string, verdict: Verdict | null = 'kept', isTaken: boolean | null = null): ReviewedRow => ({
  id,
  isTaken,
  results: [{ garmentCheck: verdict && { verdict, drifts: [], crops: null } }],
});

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join('');

interface Place {
  state: ReviewState;
  rows: readonly ReviewedRow[];
}

const carryOut = ({ rows }: Place, { state, decisions }: Decided): Place => ({
  state,
  rows: applyDecisions(rows, decisions),
});

const rowsArbitrary = fc
  .array(
    fc.record({
      verdict: fc.constantFrom(null, 'pending', 'kept', 'drifted', 'not_comparable'),
      isTaken: fc.constantFrom(null, null, true, false),
    }),
    { maxLength: 8 },
  )
  .map((rows) => rows.map(({ verdict, isTaken }, index) => rowOf(String(index), verdict as Verdict | null, isTaken)));

const actArbitrary = fc.oneof(
  fc.record({ act: fc.constant('decide'), isTaken: fc.boolean() }),
  fc.record({ act: fc.constant('take clean') }),
  fc.record({ act: fc.constant('undo') }),
  fc.record({ act: fc.constant('redo') }),
  fc.record({ act: fc.constant('move'), by: fc.constantFrom(-1, 1) }),
);

test('whatever is pressed: what is left is undecided, and undoing all steps gives exactly the former decisions', () => {
  fc.assert(
    fc.property(rowsArbitrary, fc.array(actArbitrary, { maxLength: 20 }), (first, acts) => {
      let place: Place = { state: FIRST_STATE, rows: first };
      const trail: Place[] = [];
      for (const step of acts) {
        const before = place;
        const current = findCurrent(place.state, place.rows);
        if (step.act === 'decide' && current) {
          place = carryOut(
            place,
            decide(place.state, place.rows, [current.id], (step as { isTaken: boolean }).isTaken),
          );
          trail.push(before);
        } else if (step.act === 'take clean') {
          const clean = listUndecided(place.rows).filter(isClean);
          if (clean.length > 0) {
            place = carryOut(
              place,
              decide(
                place.state,
                place.rows,
                clean.map(({ id }) => id),
                true,
              ),
            );
            trail.push(before);
          }
        } else if (step.act === 'undo') {
          const undone = undo(place.state, place.rows);
          const former = trail.pop();
          if (undone) {
            place = carryOut(place, undone);
            expect(place.rows).toEqual(former?.rows);
            expect(place.state.steps).toEqual(former?.state.steps);
          } else expect(former).toBeUndefined();
        } else if (step.act === 'redo' && current) {
          const state = leaveRow(place.state, place.rows, current.id);
          place = { state, rows: place.rows.filter(({ id }) => id !== current.id) };
          // What is made again is out of the game, and what was decided of it with it.
          trail.length = 0;
          place = { ...place, state: { ...place.state, steps: [] } };
        } else if (step.act === 'move') {
          place = { ...place, state: move(place.state, place.rows, (step as { by: number }).by) };
        }
        const left = place.rows.filter(({ isTaken }) => isTaken === null).length;
        expect(listUndecided(place.rows)).toHaveLength(left);
        expect(findCurrent(place.state, place.rows) === null).toBe(left === 0 && place.state.currentId === null);
        expect(new Set(idsOf(orderRows(place.rows)))).toEqual(new Set(idsOf(place.rows)));
      }
    }),
  );
});

describe('a review', () => {
  it('begins with drifted garments, keeps the order otherwise, and puts decided rows behind', () => {
    const rows = [
      rowOf('a'),
      rowOf('b', 'drifted'),
      rowOf('c', 'drifted', true),
      rowOf('d', 'pending'),
      rowOf('e', null),
    ];
    expect(idsOf(orderRows(rows))).toBe('badec');
  });

  it('looks at the next undecided row after each decision, from the end at the first, and at last at none', () => {
    let place: Place = { state: { currentId: 'b', steps: [] }, rows: ['a', 'b', 'c'].map((id) => rowOf(id)) };
    const seen: (string | null)[] = [];
    for (let count = 0; count < 3; count++) {
      const current = findCurrent(place.state, place.rows);
      place = carryOut(place, decide(place.state, place.rows, [current?.id ?? ''], true));
      seen.push(findCurrent(place.state, place.rows)?.id ?? null);
    }
    expect(seen).toEqual(['c', 'a', null]);
    expect(idsOf([findCurrent(move(place.state, place.rows, -1), place.rows) ?? rowOf('?')])).toBe('c');
  });

  it('takes together only what was compared and has not drifted', () => {
    const rows = [
      rowOf('a'),
      rowOf('b', 'drifted'),
      rowOf('c', 'pending'),
      rowOf('d', null),
      rowOf('e', 'not_comparable'),
    ];
    expect(idsOf(rows.filter(isClean))).toBe('ade');
  });

  it('undoes several steps, one after another, and returns to the row of each', () => {
    const first: Place = { state: FIRST_STATE, rows: ['a', 'b', 'c'].map((id) => rowOf(id)) };
    const second = carryOut(first, decide(first.state, first.rows, ['a'], true));
    const third = carryOut(second, decide(second.state, second.rows, ['b', 'c'], true));
    const back = carryOut(third, undo(third.state, third.rows) as Decided);
    expect(back).toEqual(second);
    expect(carryOut(back, undo(back.state, back.rows) as Decided)).toEqual(first);
    expect(undo(first.state, first.rows)).toBeNull();
  });

  it('does not undo what was decided of a row that is made again', () => {
    const first: Place = { state: FIRST_STATE, rows: ['a', 'b'].map((id) => rowOf(id)) };
    const decided = carryOut(first, decide(first.state, first.rows, ['a', 'b'], true));
    const state = leaveRow(decided.state, decided.rows, 'a');
    const again = [rowOf('a'), rowOf('b', 'kept', true)];
    expect(undo(state, again)?.decisions).toEqual(new Map([['b', null]]));
    const only = carryOut(first, decide(first.state, first.rows, ['a'], true));
    expect(undo(leaveRow(only.state, only.rows, 'a'), only.rows)).toBeNull();
  });
});
