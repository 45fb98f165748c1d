import { type FormEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { analyticsPeriod } from '#shared/contract/analytics.ts';
import type { Period } from './analytics-queries.ts';

export interface PeriodFilterProps {
  /** The current period. The fields show it until another one is typed. */
  period: Period;
  isLoading: boolean;
  onApply: (period: Period) => void;
  onReset: () => void;
}

/** First and last day, both included. The browser's date fields use the date format of the person's system. */
export function PeriodFilter({ period, isLoading, onApply, onReset }: PeriodFilterProps) {
  const errorId = useId();
  const [error, setError] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const { startDate = '', endDate = '' } = period;
  // Sets the values and not the defaults of the fields, so that «Сбросить» empties them.
  useLayoutEffect(() => {
    if (!form.current) return;
    getField(form.current, 'startDate').value = startDate;
    getField(form.current, 'endDate').value = endDate;
    setError(null);
  }, [startDate, endDate]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [start, end] = [getField(event.currentTarget, 'startDate'), getField(event.currentTarget, 'endDate')];
    const parsed = readPeriod(readDate(start), readDate(end));
    setError('error' in parsed ? parsed.error : null);
    if ('period' in parsed) onApply(parsed.period);
  };
  return (
    <form ref={form} className="grid gap-1 max-md:w-full" onSubmit={submit} noValidate aria-label="Период">
      <div className="flex flex-wrap items-end gap-2">
        <DateField name="startDate" label="Начало" errorId={error ? errorId : undefined} />
        <DateField name="endDate" label="Конец" errorId={error ? errorId : undefined} />
        <div className="flex flex-wrap gap-1 max-md:w-full">
          <Button type="submit" className="max-md:flex-1" loading={isLoading} loadingText="Считаем…">
            Применить
          </Button>
          <Button
            type="reset"
            variant="quiet"
            onClick={() => {
              setError(null);
              onReset();
            }}
          >
            Сбросить
          </Button>
        </div>
      </div>
      {error && <ErrorNote id={errorId}>{error}</ErrorNote>}
    </form>
  );
}

function DateField({ name, label, errorId }: { name: string; label: string; errorId: string | undefined }) {
  const id = useId();
  return (
    <div className="field flex-1 max-[20rem]:basis-full md:flex-none md:w-[150px] min-w-0">
      <label className="!text-xs" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        name={name}
        type="date"
        className={`input num !min-h-11 !text-sm min-w-0 appearance-none ${errorId ? 'err' : ''}`}
        aria-invalid={errorId !== undefined}
        aria-describedby={errorId}
      />
    </div>
  );
}

interface TypedDate {
  value: string;
  /** The typed text is not a date. */
  isUnreadable: boolean;
}

function getField(form: HTMLFormElement, name: keyof Period): HTMLInputElement {
  const field = form.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) throw new Error('the filter has two date fields');
  return field;
}

function readDate(field: HTMLInputElement): TypedDate {
  return { value: field.value, isUnreadable: field.validity.badInput };
}

/** The period that was typed, or what is wrong with it. */
export function readPeriod(start: TypedDate, end: TypedDate): { period: Period } | { error: string } {
  if (start.isUnreadable || end.isUnreadable) return { error: 'Укажите дату полностью: день, месяц и год' };
  const parsed = analyticsPeriod.safeParse({
    ...(start.value && { startDate: start.value }),
    ...(end.value && { endDate: end.value }),
  });
  return parsed.success ? { period: parsed.data } : { error: parsed.error.issues[0]?.message ?? 'Проверьте даты' };
}
