import { Maximize, Pause, Play } from 'lucide-react';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { Slider } from '#pwa/components/slider.tsx';
import { formatClock } from '#pwa/format.ts';

export interface PlayerControlsProps {
  isPlaying: boolean;
  /** In seconds. */
  position: number;
  duration: number;
  onToggle: () => void;
  onSeek: (seconds: number) => void;
  onFillScreen: () => void;
}

/** Play button, timeline, time and full screen, over the lower edge of the picture. */
export function PlayerControls({ isPlaying, position, duration, ...actions }: PlayerControlsProps) {
  const [now, total] = [formatClock(position), formatClock(Math.round(duration))];
  return (
    <div className="player-bar absolute inset-x-0 bottom-0 pt-14 pb-2 px-2 flex items-center gap-1 text-white">
      <IconButton
        label={isPlaying ? 'Пауза' : 'Воспроизвести'}
        className="hover:bg-white/15"
        onClick={actions.onToggle}
      >
        {isPlaying ? <Pause className="ic" /> : <Play className="ic" />}
      </IconButton>
      <Slider
        className="flex-1 min-w-0"
        label="Позиция"
        value={position}
        max={duration || 1}
        step={0.1}
        valueText={`${now} из ${total}`}
        onChange={actions.onSeek}
      />
      <span className="num text-xs pl-2 whitespace-nowrap">
        {now} / {total}
      </span>
      <IconButton label="На весь экран" className="hover:bg-white/15" onClick={actions.onFillScreen}>
        <Maximize className="ic" />
      </IconButton>
    </div>
  );
}
