import { Slider as RadixSlider } from 'radix-ui';

export interface SliderProps {
  value: number;
  onChange: (value: number) => void;
  max: number;
  step?: number;
  label: string;
  /** Read out by screen readers instead of the plain number («0:03 из 0:05»). */
  valueText?: string;
  className?: string;
}

/** A horizontal slider in the colour of the surrounding text. */
export function Slider({ value, onChange, max, step = 1, label, valueText, className = '' }: SliderProps) {
  return (
    <RadixSlider.Root
      className={`slider ${className}`}
      value={[value]}
      max={max}
      step={step}
      onValueChange={([next = 0]) => onChange(next)}
    >
      <RadixSlider.Track className="track">
        <RadixSlider.Range className="range" />
      </RadixSlider.Track>
      <RadixSlider.Thumb className="thumb" aria-label={label} aria-valuetext={valueText} />
    </RadixSlider.Root>
  );
}
