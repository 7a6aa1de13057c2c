import { useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import './level.css'
import type { LevelMeter } from './level.ts'

interface LevelBarProps {
  meter: LevelMeter | undefined
  className?: string
}

/** How loud the microphone is now. */
export function LevelBar({ meter, className = '' }: LevelBarProps) {
  const bar = useRef<HTMLMeterElement>(null)

  useEffect(() => {
    if (meter === undefined) return
    let frame = 0
    // Sixty times a second: nothing else is drawn anew for it.
    const show = (level: number) => {
      if (bar.current !== null) bar.current.value = level
    }
    const draw = () => {
      show(meter.read())
      frame = requestAnimationFrame(draw)
    }
    draw()
    return () => {
      cancelAnimationFrame(frame)
      show(0)
    }
  }, [meter])

  return (
    <meter
      ref={bar}
      className={`level ${className}`}
      min={0}
      max={1}
      value={0}
      aria-label={t('Level of the microphone')}
    />
  )
}
