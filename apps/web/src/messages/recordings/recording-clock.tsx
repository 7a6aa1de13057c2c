import { useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { elapsedClock } from '#src/ui/time/elapsed.ts'

/** Length of the recording so far. Updates its element directly, without rendering. */
export function RecordingClock({ startedAt }: { startedAt: number }) {
  const clock = useRef<HTMLTimeElement>(null)

  useEffect(() => {
    let frame = 0
    const draw = () => {
      const text = elapsedClock(performance.now() - startedAt)
      if (clock.current !== null && clock.current.textContent !== text) clock.current.textContent = text
      frame = requestAnimationFrame(draw)
    }
    draw()
    return () => cancelAnimationFrame(frame)
  }, [startedAt])

  return <time ref={clock} role="timer" className="recording-clock" aria-label={t('Recording length')} />
}
