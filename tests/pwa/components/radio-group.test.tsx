// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { RadioGroup, RadioOption } from '#pwa/components/radio-group.tsx';
import { Tabs } from '#pwa/components/tabs.tsx';

const changed = vi.fn();

function Colours({ first, isHorizontal = false }: { first: string | null; isHorizontal?: boolean }) {
  const [value, setValue] = useState(first);
  const onChange = (next: string) => {
    changed(next);
    setValue(next);
  };
  return (
    <RadioGroup value={value} onChange={onChange} label="Цвет" isHorizontal={isHorizontal} className="">
      <RadioOption value="белый">белый</RadioOption>
      <RadioOption value="серый" disabled>
        серый
      </RadioOption>
      <RadioOption value="чёрный">чёрный</RadioOption>
    </RadioGroup>
  );
}

const draw = (props: Parameters<typeof Colours>[0]) => render(<Colours {...props} />).getAllByRole('radio');
/** The names of the options that Tab can reach. */
const stops = (options: HTMLElement[]) =>
  options.filter(({ tabIndex }) => tabIndex === 0).map((one) => one.textContent);

afterEach(() => {
  cleanup();
  changed.mockClear();
});

test('Tab reaches a group once: at its chosen option, or else at its first', () => {
  expect(stops(draw({ first: 'чёрный' }))).toEqual(['чёрный']);
  cleanup();
  expect(stops(draw({ first: null }))).toEqual(['белый']);
});

test('arrows choose the next usable option, in a circle', async () => {
  const options = draw({ first: 'белый' });
  const user = userEvent.setup();
  await user.tab();
  await user.keyboard('{ArrowDown}{ArrowRight}{ArrowLeft}');
  expect(changed.mock.calls.flat()).toEqual(['чёрный', 'белый', 'чёрный']);
  expect([document.activeElement, stops(options)]).toEqual([options[2], ['чёрный']]);
});

test('options side by side ignore vertical arrows, and no option is chosen by Enter or a second press', async () => {
  const [first] = draw({ first: 'белый', isHorizontal: true });
  const user = userEvent.setup();
  await user.tab();
  await user.keyboard('{ArrowDown}{Enter}');
  if (first) await user.click(first);
  expect(changed).not.toHaveBeenCalled();
});

test('End moves to the last option and chooses nothing', () => {
  const options = draw({ first: 'белый' });
  fireEvent.keyDown(options[0] as HTMLElement, { key: 'End' });
  expect([document.activeElement, changed.mock.calls]).toEqual([options[2], []]);
});

test('the tab that gets the focus is chosen, and only its panel is drawn', async () => {
  function Forms() {
    const [value, setValue] = useState<'login' | 'register'>('login');
    const tabs = (['login', 'register'] as const).map((name) => ({
      value: name,
      label: name,
      content: `form ${name}`,
    }));
    return <Tabs value={value} onChange={setValue} label="Вход" tabs={tabs} />;
  }
  const page = render(<Forms />);
  const user = userEvent.setup();
  await user.tab();
  await user.keyboard('{ArrowRight}');
  const chosen = page.getByRole('tab', { selected: true });
  expect([chosen.textContent, document.activeElement]).toEqual(['register', chosen]);
  expect(page.getByRole('tabpanel').textContent).toBe('form register');
  expect(page.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe(chosen.id);
  await user.click(page.getByRole('tab', { selected: false }));
  expect(page.getByRole('tabpanel').textContent).toBe('form login');
});
