import { useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import './level.css'
import type { LevelMeter } from './level.ts'

interface LevelBarProps {
  meter: LevelMeter | undefined
  className?: string
}

/** Shows the current level of the microphone. */
export function LevelBar({ meter, className = '' }: LevelBarProps) {
  const bar = useRef<HTMLMeterElement>(null)

  useEffect(() => {
    if (meter === undefined) return
    let frame = 0
    // Runs 60 times a second, so it writes to the element instead of rendering.
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
      aria-label={t('Microphone level')}
    />
  )
}
