import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { moveByKey } from '#pwa/components/move-by-key.ts';
import { formatNumber } from '#pwa/format.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { type ChartGeometry, drawLine, layOutChart } from './chart-geometry.ts';
import type { DayCounts } from './day-counts.ts';
import { shortDay } from './day-counts.ts';
import { describePeriod } from './period.ts';

const NARROW_PX = 600;
const HEIGHTS_PX = { narrow: 220, wide: 264 };
/** Page Up and Page Down move by this many days. */
const PAGE_DAYS = 7;

/** Videos and registrations by day. One day is picked by pointing at it or with the arrow keys. */
export default function DailyChart({ days }: { days: DayCounts[] }) {
  const [frame, width] = useWidth();
  const [picked, setPicked] = useState<number | null>(null);
  const last = days.length - 1;
  const current = Math.min(picked ?? last, last);
  const day = days[current];
  const height = width < NARROW_PX ? HEIGHTS_PX.narrow : HEIGHTS_PX.wide;
  const max = Math.max(0, ...days.map(({ counts }) => Math.max(counts.videos, counts.registrations)));
  const geometry = layOutChart(
    { width, height },
    days.map(({ date }) => date),
    max,
  );

  const point = (event: PointerEvent<HTMLDivElement>) =>
    setPicked(geometry.dayAt(event.clientX - event.currentTarget.getBoundingClientRect().left));
  const press = (event: KeyboardEvent) => {
    const target = moveByKey(event.key, current, { max: last, step: 1, page: PAGE_DAYS });
    if (target === null) return;
    event.preventDefault();
    setPicked(target);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 mb-3 text-sm">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 className="sec">По дням</h2>
          {/* The days that are drawn: a filter may be open, longer than the series, or end after today. */}
          <p className="num text-muted">{describePeriod({ startDate: days[0]?.date, endDate: days[last]?.date })}</p>
        </div>
        <LegendItem label="Видео" className="stroke-thread" />
        <LegendItem label="Регистрации" className="stroke-ink" dashes="6 4" />
        {day && <span className="tag num md:ml-auto">{describeDay(day)}</span>}
      </div>
      <div
        ref={frame}
        role="slider"
        tabIndex={0}
        aria-label="Видео и регистрации по дням"
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={current + 1}
        aria-valuetext={day && describeDay(day)}
        className="touch-pan-y rounded-control"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPicked(null)}
        onKeyDown={press}
      >
        {width > 0 && (
          <svg width={width} height={height} className="block" aria-hidden="true">
            <Grid geometry={geometry} days={days} />
            <Series geometry={geometry} values={days.map(({ counts }) => counts.videos)} isMain />
            <Series geometry={geometry} values={days.map(({ counts }) => counts.registrations)} />
            {day && <Crosshair geometry={geometry} index={current} day={day} />}
          </svg>
        )}
      </div>
    </>
  );
}

/** «17.11 — 41 видео, 14 регистраций» */
export function describeDay({ date, counts: { videos, registrations } }: DayCounts): string {
  const word = pluralize(registrations, ['регистрация', 'регистрации', 'регистраций']);
  return `${shortDay(date)}\u00a0— ${videos}\u00a0видео, ${registrations}\u00a0${word}`;
}

function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    setWidth(element.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}

function LegendItem({ label, className, dashes }: { label: string; className: string; dashes?: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <svg width="20" height="2" aria-hidden="true">
        <path d="M0 1H20" className={className} strokeWidth="2" strokeDasharray={dashes} />
      </svg>
      {label}
    </span>
  );
}

function Grid({ geometry: { plot, ticks, labelled, x, y }, days }: { geometry: ChartGeometry; days: DayCounts[] }) {
  return (
    <g className="fill-muted stroke-line num" fontSize="12">
      {ticks.map((value) => (
        <g key={value}>
          <path d={`M${plot.left} ${y(value)}H${plot.right}`} />
          <text x={plot.left - 10} y={y(value) + 4} textAnchor="end" stroke="none">
            {formatNumber(value)}
          </text>
        </g>
      ))}
      {labelled.map((index) => (
        <text key={index} x={x(index)} y={plot.bottom + 22} textAnchor="middle" stroke="none">
          {shortDay(days[index]?.date ?? '')}
        </text>
      ))}
    </g>
  );
}

interface SeriesProps {
  geometry: ChartGeometry;
  values: number[];
  /** The main line has an area below it. */
  isMain?: boolean;
}

function Series({ geometry: { plot, x, y }, values, isMain = false }: SeriesProps) {
  const line = drawLine(values.map((value, index) => [x(index), y(value)]));
  const bottom = `V${plot.bottom}H${x(0).toFixed(1)}Z`;
  return (
    <>
      {isMain && <path d={line + bottom} className="fill-thread-soft" />}
      <path
        d={line}
        fill="none"
        strokeWidth="2"
        className={isMain ? 'stroke-thread' : 'stroke-ink'}
        strokeDasharray={isMain ? undefined : '6 4'}
      />
    </>
  );
}

function Crosshair({
  geometry: { plot, x, y },
  index,
  day,
}: {
  geometry: ChartGeometry;
  index: number;
  day: DayCounts;
}) {
  const at = x(index);
  return (
    <g strokeWidth="2" className="fill-surface">
      <path d={`M${at} ${plot.bottom}V${plot.top}`} className="stroke-ink" strokeWidth="1" strokeDasharray="2 3" />
      <circle cx={at} cy={y(day.counts.videos)} r="4.5" className="stroke-thread" />
      <circle cx={at} cy={y(day.counts.registrations)} r="4.5" className="stroke-ink" />
    </g>
  );
}
