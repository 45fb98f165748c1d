import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, type SyntheticEvent, useRef, useState } from 'react';
import { premiumStatusQuery } from '#pwa/client/premium-status-query.ts';
import { Button } from '#pwa/components/button.tsx';
import { CropFrame } from '#pwa/components/crop-frame.tsx';
import { PlateProblem } from '#pwa/components/plate-problem.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { useMediaQuery } from '#pwa/device/use-media-query.ts';
import { useLossReport } from '#pwa/features/generations/found-loss.ts';
import { frameShape } from '#pwa/features/generations/photo-stage.tsx';
import { PlayerControls } from './player-controls.tsx';
import type { ShownVideo } from './shown-video.ts';
import { usePlayback } from './use-playback.ts';
import { VideoPreparation } from './video-preparation.tsx';
import './videos.css';

const SEEK_SECONDS = 1;

/** iPhones support full screen only for the video element itself. */
type IphoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

interface VideoPlayerProps {
  video: ShownVideo;
  onDownload?: (() => void) | undefined;
}

/**
 * Plays one video in crop marks. Space or K plays and pauses, arrows seek, F toggles full screen (the same keys work in
 * the Russian layout).
 */
export function VideoPlayer({ video, onDownload }: VideoPlayerProps) {
  const isUnlocked = useUnlocked();
  const shown = isUnlocked ? { ...video, ...addressOriginal(video) } : video;
  return <Player key={shown.url} video={shown} onDownload={onDownload} />;
}

/** Whether the person has paid while the player was open. It then plays the original instead of the copy with the logo. */
function useUnlocked(): boolean {
  const hasPaid = useQuery(premiumStatusQuery).data?.hasSuccessfulTransactions;
  const [wasFree, setWasFree] = useState(false);
  if (hasPaid === false && !wasFree) setWasFree(true);
  return wasFree && hasPaid === true;
}

/** The same addresses serve the original after a payment, and the browser has their copies. */
function addressOriginal({ url, posterUrl }: ShownVideo): Pick<ShownVideo, 'url' | 'posterUrl'> {
  return { url: `${url}?original`, posterUrl: posterUrl && `${posterUrl}?original` };
}

function Player({ video, onDownload }: VideoPlayerProps) {
  const frame = useRef<HTMLDivElement>(null);
  const media = useRef<HTMLVideoElement>(null);
  const [shape, setShape] = useState<string>(video.aspectRatio ?? '3:4');
  const prefersStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const { videoId, url } = video;
  const reportLoss = useLossReport();
  const onLost = () => reportLoss(videoId);
  const { state, source, onLoaded, onError, onWaiting, retry } = usePlayback({ videoId, url, media, onLost });
  const player = usePlayer(frame, media, state.phase === 'ready');

  return (
    <CropFrame className="stage-frame" style={frameShape(shape)}>
      <section
        ref={frame}
        aria-label="Видеоплеер"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the player takes keys as a whole.
        tabIndex={0}
        className={`player pic bg-plate ${video.isNew ? 'curtain' : ''}`}
        onKeyDown={player.onKeyDown}
      >
        <video
          ref={media}
          className="stage-shape block w-full object-contain"
          src={source}
          poster={video.posterUrl ?? undefined}
          aria-label={video.title}
          preload="auto"
          muted
          playsInline
          autoPlay={!prefersStill}
          {...player.mediaEvents}
          onLoadedMetadata={({ currentTarget }) => {
            player.setDuration(currentTarget.duration);
            if (currentTarget.videoWidth > 0) setShape(`${currentTarget.videoWidth}:${currentTarget.videoHeight}`);
            onLoaded();
          }}
          onError={onError}
          onWaiting={() => onWaiting(true)}
          onSeeking={() => onWaiting(true)}
          onPlaying={() => onWaiting(false)}
          onCanPlay={() => onWaiting(false)}
          onSeeked={() => onWaiting(false)}
        />
        {state.phase === 'loading' && (
          <div className="absolute inset-x-5 bottom-5">
            <StitchProgress label="Загрузка видео" />
          </div>
        )}
        {state.phase === 'preparing' && <VideoPreparation className="inset-x-4 bottom-4" />}
        {state.phase === 'ready' && <PlayerControls {...player.controls} />}
        {state.phase === 'error' && (
          <PlateProblem className="inset-x-4 bottom-4" title={state.title} detail={state.detail} onRetry={retry}>
            {state.isFileFine && onDownload && (
              <Button variant="plate" size="sm" className="mt-3 ml-2" onClick={onDownload}>
                Скачать
              </Button>
            )}
          </PlateProblem>
        )}
      </section>
    </CropFrame>
  );
}

/** The position, keys and buttons of a player. Nothing plays before `isReady`. */
function usePlayer(frame: RefObject<HTMLElement | null>, media: RefObject<HTMLVideoElement | null>, isReady: boolean) {
  const [isPlaying, setIsPlaying] = useState(false);
  const [position, setPosition] = useState(0);
  const [duration, setDuration] = useState(0);

  const seek = (seconds: number) => {
    if (!media.current) return;
    media.current.currentTime = Math.min(duration, Math.max(0, seconds));
    setPosition(media.current.currentTime);
  };
  const toggle = () => {
    if (!media.current || !isReady) return;
    // A refused start (power-saving mode) leaves the player paused, as its button shows.
    if (media.current.paused) media.current.play().catch(() => setIsPlaying(false));
    else media.current.pause();
  };
  const fillScreen = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else if (frame.current?.requestFullscreen) void frame.current.requestFullscreen();
    else (media.current as IphoneVideo | null)?.webkitEnterFullscreen?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = readPlayerKey(event);
    if (!action) return;
    event.preventDefault();
    if (action === 'toggle') toggle();
    else if (action === 'fill_screen') fillScreen();
    else seek(position + (action === 'forward' ? SEEK_SECONDS : -SEEK_SECONDS));
  };
  return {
    setDuration,
    onKeyDown,
    mediaEvents: {
      onClick: toggle,
      onTimeUpdate: ({ currentTarget }: SyntheticEvent<HTMLVideoElement>) => setPosition(currentTarget.currentTime),
      onPlay: () => setIsPlaying(true),
      onPause: () => setIsPlaying(false),
    },
    controls: { isPlaying, position, duration, onToggle: toggle, onSeek: seek, onFillScreen: fillScreen },
  };
}

/** The player's action for a key. Keys that the focused control itself uses are left to it. */
function readPlayerKey({ key, target, currentTarget, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === 'k' || key === 'л') return 'toggle';
  if (key === 'f' || key === 'а') return 'fill_screen';
  if (target !== currentTarget) return null;
  if (key === ' ') return 'toggle';
  if (key === 'ArrowLeft') return 'back';
  return key === 'ArrowRight' ? 'forward' : null;
}
