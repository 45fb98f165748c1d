import dance from '#pwa/assets/art/preset-dance.svg';
import pose from '#pwa/assets/art/preset-pose.svg';
import shoe from '#pwa/assets/art/preset-shoe.svg';
import spin from '#pwa/assets/art/preset-spin.svg';
import walk from '#pwa/assets/art/preset-walk.svg';
import { HoverPreview } from '#pwa/components/hover-preview.tsx';
import { OptionCard } from '#pwa/components/option-card.tsx';
import { RadioGroup } from '#pwa/components/radio-group.tsx';
import { useMediaQuery } from '#pwa/device/use-media-query.ts';
import { useMover } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import { MOTION_NAMES, MOTION_PRESETS, type MotionPreset } from '#shared/rules/motion-presets.ts';
import { PRESET_DESCRIPTIONS } from './video-texts.ts';

const PICTURES: Record<MotionPreset, string> = { spin, walk, pose, dance, shoe };
/** This motion works, but has no sample yet. */
const WITHOUT_SAMPLE: MotionPreset = 'shoe';

export interface MotionPickerProps {
  value: MotionPreset;
  onChange: (preset: MotionPreset) => void;
}

export function MotionPicker({ value, onChange }: MotionPickerProps) {
  // A tap focuses too: on a touch screen the preview would open over the page.
  const canHover = useMediaQuery('(hover: hover) and (pointer: fine)');
  return (
    <div>
      <h2 className="sec mb-2">Движение</h2>
      <RadioGroup
        value={value}
        onChange={onChange}
        label="Движение"
        className="grid grid-cols-3 min-[360px]:grid-cols-5 lg:grid-cols-3 gap-2"
      >
        {MOTION_PRESETS.map((preset) => {
          const card = (
            <div key={preset} className="grid">
              <MotionCard preset={preset} />
            </div>
          );
          return canHover ? (
            <HoverPreview key={preset} preview={<Preview preset={preset} />}>
              {card}
            </HoverPreview>
          ) : (
            card
          );
        })}
      </RadioGroup>
      <p className="text-xs text-muted mt-2">
        {nb(`«${MOTION_NAMES[WITHOUT_SAMPLE]}» уже работает: скоро появится только пример.`)}
      </p>
    </div>
  );
}

function MotionCard({ preset }: { preset: MotionPreset }) {
  const lacksSample = preset === WITHOUT_SAMPLE;
  return (
    <OptionCard
      value={preset}
      label={lacksSample ? `${MOTION_NAMES[preset]}: можно выбрать, пример скоро` : MOTION_NAMES[preset]}
    >
      <span className="relative block">
        <img
          src={PICTURES[preset]}
          alt=""
          className={`w-full aspect-[4/5] lg:aspect-[2/1] object-cover p-0.5 rounded-t-control ${lacksSample ? 'object-[50%_60%]' : 'object-[50%_7%]'}`}
        />
        {lacksSample && (
          <span className="tag plate absolute left-1 bottom-1 !min-h-0 !px-1 !text-[10px] leading-3 py-0.5 !tracking-normal !whitespace-normal text-left">
            Пример скоро
          </span>
        )}
      </span>
      <span className="block px-0.5 lg:px-2 pt-1 pb-1.5 text-2xs lg:text-xs font-medium text-center lg:text-left">
        {MOTION_NAMES[preset]}
      </span>
    </OptionCard>
  );
}

function Preview({ preset }: { preset: MotionPreset }) {
  const descriptions = PRESET_DESCRIPTIONS[useMover()];
  return (
    <figure className="w-56">
      <div className="pic">
        <img src={PICTURES[preset]} alt="" className="ph" />
        {preset === WITHOUT_SAMPLE && <span className="tag plate">Пример скоро</span>}
      </div>
      <figcaption className="px-1 pt-2 text-sm">
        <span className="font-semibold">{MOTION_NAMES[preset]}</span>
        <span className="block text-muted">{nb(descriptions[preset])}</span>
      </figcaption>
    </figure>
  );
}
