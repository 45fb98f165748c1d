import { describe, expect, it } from 'vitest';
import { nextShare } from '#pwa/components/before-after.tsx';
import { sweepAt } from '#pwa/components/use-first-view-sweep.ts';

describe('the border between before and after', () => {
  it('moves by 5 % with the arrows and stops at the edges', () => {
    expect(nextShare('ArrowRight', 50)).toBe(55);
    expect(nextShare('ArrowLeft', 50)).toBe(45);
    expect(nextShare('ArrowLeft', 3)).toBe(0);
    expect(nextShare('ArrowRight', 98)).toBe(100);
  });

  it('jumps to the edges with Home and End and ignores other keys', () => {
    expect(nextShare('Home', 50)).toBe(0);
    expect(nextShare('End', 50)).toBe(100);
    expect(nextShare('Tab', 50)).toBeNull();
  });

  it('sweeps 50, 62, 50 at the first view', () => {
    expect([0, 450, 900, 2000].map(sweepAt)).toEqual([50, 62, 50, 50]);
  });
});
