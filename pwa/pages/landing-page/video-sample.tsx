import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import video from '#pwa/assets/samples/dress-walk.mp4';
import frame1 from '#pwa/assets/samples/dress-walk-1.avif';
import frame2 from '#pwa/assets/samples/dress-walk-2.avif';
import frame3 from '#pwa/assets/samples/dress-walk-3.avif';
import frame4 from '#pwa/assets/samples/dress-walk-4.avif';
import frame5 from '#pwa/assets/samples/dress-walk-5.avif';
import frame6 from '#pwa/assets/samples/dress-walk-6.avif';
import poster from '#pwa/assets/samples/dress-walk-poster.avif';
import { CropFrame } from '#pwa/components/crop-frame.tsx';
import { useMediaQuery } from '#pwa/device/use-media-query.ts';
import { nb } from '#pwa/format.ts';
import { SampleNote } from './sample-note.tsx';

const FRAMES = [frame1, frame2, frame3, frame4, frame5, frame6];
const VIDEO_SECONDS = 5;

/** A sample: a video made by the product, and one frame of it for each second. */
export function VideoSample() {
  const [progress, setProgress] = useState(0);
  return (
    <section className="px-5 md:px-[6vw] pt-16 md:pt-28">
      <div className="md:grid grid-cols-12 gap-8 items-end">
        <div className="col-span-8">
          <h2 className="display text-d2">{nb('Пять секунд показа из одного фото')}</h2>
          <p className="text-lg text-muted mt-5 max-w-[46ch]">
            {nb(
              'Вещь выходит из глубины кадра навстречу камере, свет и тень идут вместе с ней. Покупатель видит посадку и ткань в движении, а швы, полоски и принт остаются прямыми.',
            )}
          </p>
          <SampleNote />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on phones the keyboard scrolls it. */}
          <ol className="film mt-8 max-md:-mx-5 max-md:px-5" tabIndex={0} aria-label="Кадры видео">
            {FRAMES.map((frame, second) => (
              <li key={frame}>
                <img
                  className="ph"
                  src={frame}
                  width={240}
                  height={320}
                  alt={`Кадр на ${second}-й секунде`}
                  loading="lazy"
                />
                <div className="num text-xs text-muted mt-2">0:0{second}</div>
              </li>
            ))}
          </ol>
          <div className="ticks mt-2 text-control" />
          <div className="overflow-hidden mt-1">
            <div className="stitch still origin-left" style={progress > 0 ? { scale: `${progress} 1` } : undefined} />
          </div>
        </div>
        <div className="col-start-10 col-span-3 max-md:mt-8 max-md:max-w-[300px] max-md:mx-auto">
          <LazyVideo onProgress={setProgress} />
        </div>
      </div>
    </section>
  );
}

/** Loads and plays only while it is in view. With reduced motion it plays only when asked to. */
function LazyVideo({ onProgress }: { onProgress: (share: number) => void }) {
  const element = useRef<HTMLVideoElement>(null);
  const [isInView, setIsInView] = useState(false);
  const [isStopped, setIsStopped] = useState(false);
  const [isStarted, setIsStarted] = useState(false);
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const isPlaying = isInView && (isStarted || !isStill) && !isStopped;

  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => setIsInView(entry?.isIntersecting ?? false), {
      threshold: 0.4,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    // A device in power-saving mode refuses to play. The poster stays, with a play button.
    if (isPlaying) element.current?.play().catch(() => setIsStopped(true));
    else element.current?.pause();
  }, [isPlaying]);

  return (
    <CropFrame>
      <div className="pic bg-sunken">
        <img
          className="ph"
          src={poster}
          width={480}
          height={640}
          alt="Зелёное платье на манекене: первый кадр видео"
          loading="lazy"
        />
        <video
          ref={element}
          className="absolute inset-0 w-full h-full object-cover"
          src={video}
          preload="none"
          muted
          playsInline
          loop
          aria-label="Пример видео: камера шаг за шагом подходит к платью. Без звука."
          onTimeUpdate={({ currentTarget }) => onProgress(Math.min(1, currentTarget.currentTime / VIDEO_SECONDS))}
        />
        <button
          type="button"
          className="absolute right-2 bottom-2 grid place-items-center size-11 rounded-full bg-plate text-on-plate"
          aria-label={isPlaying ? 'Остановить видео' : 'Воспроизвести видео'}
          onClick={() => {
            setIsStarted(true);
            setIsStopped(isPlaying);
          }}
        >
          {isPlaying ? <Pause className="ic" /> : <Play className="ic" />}
        </button>
      </div>
    </CropFrame>
  );
}
