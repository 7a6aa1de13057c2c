import { type RefObject, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { type Speed, speedStore } from './speed.ts'

interface Playback {
  readonly isPlaying: boolean
  /** In seconds; 0 while unknown. */
  readonly length: number
  readonly speed: Speed
  toggle(): void
  onPlay(): void
  onPause(): void
  onLoadedMetadata(): void
  onDurationChange(): void
}

/** The recording that is playing. Starting another one pauses it. */
let current: HTMLMediaElement | null = null

/** State and handlers of an audio element. */
export function usePlayback(media: RefObject<HTMLAudioElement | null>): Playback {
  const [isPlaying, setIsPlaying] = useState(false)
  const [length, setLength] = useState(0)
  const speed = useStore(speedStore)

  useEffect(() => applySpeed(media.current, speed), [media, speed])

  return {
    isPlaying,
    length,
    speed,
    toggle: () => {
      if (media.current?.paused === false) media.current.pause()
      // Browsers may refuse to play. Errors of the file reach the element's `onError`.
      else media.current?.play().catch(() => undefined)
    },
    onPlay: () => {
      if (current !== media.current) current?.pause()
      current = media.current
      setIsPlaying(true)
    },
    onPause: () => setIsPlaying(false),
    onLoadedMetadata: () => applySpeed(media.current, speed),
    onDurationChange: () => {
      const duration = media.current?.duration ?? 0
      // The duration is infinite if the header of a recording does not contain its length.
      setLength(Number.isFinite(duration) ? duration : 0)
    },
  }
}

/** Sets the speed. Also sets it as the default, to which the element returns when it loads a file. */
function applySpeed(media: HTMLMediaElement | null, speed: Speed): void {
  if (media === null) return
  media.defaultPlaybackRate = speed
  media.playbackRate = speed
}
