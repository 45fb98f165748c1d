import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { nb } from '#pwa/format.ts';
import { describeVideoUse } from '#shared/rules/marketplaces.ts';
import { videoPrice } from '#shared/rules/prices.ts';
import type { VideoOffer } from '#shared/rules/tool-offer.ts';
import { MotionPicker } from './motion-picker.tsx';
import { describeSeconds } from './shown-video.ts';
import type { VideoForm } from './video-form.ts';

export interface VideoSettingsProps {
  form: VideoForm;
  offer: VideoOffer;
  /** What replaces a choice that is not offered any more. */
  replacement: string | null;
  onChange: (change: Partial<VideoForm>) => void;
}

/** The choice of the motion, the duration with its price, and the aspect ratio. */
export function VideoSettings({ form, offer, replacement, onChange }: VideoSettingsProps) {
  return (
    <>
      <MotionPicker value={form.preset} onChange={(preset) => onChange({ preset })} />
      <div>
        <h2 className="sec mb-2">Длительность</h2>
        <SegmentedControl
          label="Длительность"
          value={String(form.duration)}
          onChange={(value) => onChange({ duration: offer.videoSeconds.find((seconds) => String(seconds) === value) })}
          options={offer.videoSeconds.map((seconds) => ({
            value: String(seconds),
            label: (
              <span className="num flex items-center gap-2">
                {describeSeconds(seconds)}
                <StarCount count={videoPrice(seconds)} className={seconds === form.duration ? 'text-star' : ''} />
              </span>
            ),
          }))}
        />
        <ul className="mt-2 text-xs text-muted">
          {offer.videoSeconds.map((seconds) => (
            <li key={seconds}>{nb(`${describeSeconds(seconds)} — ${describeVideoUse(seconds)}`)}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="sec">Формат кадра</h2>
        <SegmentedControl
          className="flex-1 max-w-52"
          label="Формат кадра"
          value={form.aspectRatio}
          onChange={(aspectRatio) => onChange({ aspectRatio })}
          options={offer.aspectRatios.map((ratio) => ({ value: ratio, label: <span className="num">{ratio}</span> }))}
        />
      </div>
      {replacement && (
        <p className="text-sm text-warning" role="status">
          {nb(replacement)}
        </p>
      )}
    </>
  );
}
