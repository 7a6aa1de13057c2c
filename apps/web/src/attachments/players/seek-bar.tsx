import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { elapsedClock } from '#src/ui/time/elapsed.ts'
import { BAR_COUNT } from '../transfer/waveform.ts'
import { positionAfter } from './seek-keys.ts'

interface SeekBarProps {
  media: RefObject<HTMLAudioElement | null>
  isPlaying: boolean
  /** In seconds; 0 while unknown. */
  length: number
  /** Heights from 0 to 255; null draws a dotted line. */
  bars: readonly number[] | null
  tabIndex: 0 | -1
  /** Called on the space bar. */
  onToggle: () => void
}

/** Waveform with the played part highlighted, under a slider. The position is updated in the DOM, without rendering again. */
export function SeekBar({ media, isPlaying, length, bars, tabIndex, onToggle }: SeekBarProps) {
  const root = useRef<HTMLDivElement>(null)
  const slider = useRef<HTMLInputElement>(null)
  const clock = useRef<HTMLTimeElement>(null)
  const path = pathOf(bars)
  const draw = () => show({ media, root, slider, clock }, length)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `draw` does the same in every render
  useEffect(() => {
    let frame = 0
    const next = () => {
      draw()
      if (isPlaying) frame = requestAnimationFrame(next)
    }
    next()
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, length])

  function seek(seconds: number) {
    if (media.current !== null) media.current.currentTime = seconds
    draw()
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key } = event
    const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const position = positionAfter({ key, isRightToLeft }, { at: media.current?.currentTime ?? 0, length })
    if (position === null && key !== ' ') return
    // Arrows would also move the focus to another message.
    event.preventDefault()
    event.stopPropagation()
    if (position === null) onToggle()
    else seek(position)
  }

  return (
    <>
      <div ref={root} className="waveform">
        <svg viewBox={`0 0 ${BAR_COUNT} 100`} preserveAspectRatio="none" aria-hidden="true">
          <path d={path} />
        </svg>
        <svg
          className="waveform-played"
          viewBox={`0 0 ${BAR_COUNT} 100`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={path} />
        </svg>
        <input
          ref={slider}
          type="range"
          min={0}
          max={length}
          step="any"
          defaultValue={0}
          disabled={length === 0}
          tabIndex={tabIndex}
          aria-label={t('Position')}
          onChange={(event) => seek(Number(event.target.value))}
          onKeyDown={onKeyDown}
        />
      </div>
      <time ref={clock} className="recording-time" />
    </>
  )
}

interface Shown {
  readonly media: RefObject<HTMLAudioElement | null>
  readonly root: RefObject<HTMLElement | null>
  readonly slider: RefObject<HTMLInputElement | null>
  readonly clock: RefObject<HTMLElement | null>
}

/** Shows the position, or the length of a recording that has not begun. */
function show({ media, root, slider, clock }: Shown, length: number): void {
  const at = Math.min(media.current?.currentTime ?? 0, length)
  root.current?.style.setProperty('--played', String(length === 0 ? 0 : at / length))
  const [position, end] = [elapsedClock(at * 1000), elapsedClock(length * 1000)]
  if (slider.current !== null) {
    slider.current.value = String(at)
    slider.current.setAttribute('aria-valuetext', t('{position} of {end}', { position, end }))
  }
  if (clock.current !== null) clock.current.textContent = at === 0 ? end : position
}

/** Returns an SVG path with a vertical line for each bar. Silence is a dot. */
function pathOf(bars: readonly number[] | null): string {
  return Array.from({ length: BAR_COUNT }, (_, index) => {
    const half = ((bars?.[index] ?? 0) / 255) * 46 + 0.5
    return `M${index + 0.5} ${50 - half}V${50 + half}`
  }).join('')
}
