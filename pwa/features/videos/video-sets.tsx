import { SettingSets } from '#pwa/features/generations/setting-sets.tsx';
import { storedVideoSettings } from '#shared/contract/video-settings.ts';
import { MOTION_NAMES } from '#shared/rules/motion-presets.ts';
import { describeSeconds } from './shown-video.ts';
import { DEFAULT_VIDEO_FORM, fromVideoSettings, toVideoSettings, type VideoForm } from './video-form.ts';
import type { VideoView } from './video-tool.ts';

export interface VideoSetsProps {
  form: VideoForm;
  liked: VideoView | null;
  onChange: (form: VideoForm) => void;
}

/** The named settings of videos, and where the shown ones come from. */
export function VideoSets({ form, liked, onChange }: VideoSetsProps) {
  return (
    <SettingSets
      kind="video"
      settings={storedVideoSettings.parse(toVideoSettings(form))}
      suggestedName={`${MOTION_NAMES[form.preset]}, ${describeSeconds(form.duration)}, ${form.aspectRatio}`}
      isShown={(settings) => isSameForm(form, fromVideoSettings(settings))}
      isDefault={isSameForm(form, DEFAULT_VIDEO_FORM)}
      liked={liked}
      onChoose={(settings) => onChange(fromVideoSettings(settings))}
      onReset={() => onChange(DEFAULT_VIDEO_FORM)}
    />
  );
}

function isSameForm(one: VideoForm, other: VideoForm): boolean {
  return one.preset === other.preset && one.duration === other.duration && one.aspectRatio === other.aspectRatio;
}
