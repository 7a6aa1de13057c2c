import { type RefObject, useEffect, useRef } from 'react'
import { useSession } from '#src/session/context.ts'
import type { ShownFile } from '../shown-file.ts'
import { useSource } from '../use-source.ts'

interface Player<Element> {
  readonly media: RefObject<Element | null>
  readonly src: string | undefined
  /** The download URL; null while the file is uploading. */
  readonly url: string | null
  /** React key of the media element. A new key loads the same URL again. */
  readonly attempt: number
  readonly isBroken: boolean
  readonly onError: () => void
  readonly onLoadedMetadata: () => void
}

/** Plays a video or audio file. If its URL expires during playback, continues at the same position with a new URL. */
export function usePlayer<Element extends HTMLMediaElement>(file: ShownFile): Player<Element> {
  const { uploads } = useSession()
  const source = useSource(file)
  const media = useRef<Element>(null)
  const resume = useRef({ at: 0, playing: false })
  const { id, upload, preview } = file

  // The local preview is used until the player unmounts.
  useEffect(() => {
    if (upload !== null || preview === null) return
    return () => uploads.release(id)
  }, [uploads, id, upload, preview])

  return {
    media,
    src: preview ?? source.url ?? undefined,
    url: source.url,
    attempt: source.attempt,
    isBroken: source.isBroken,
    onError: () => {
      const { currentTime = 0, paused = true } = media.current ?? {}
      resume.current = { at: currentTime, playing: !paused }
      source.onError()
    },
    onLoadedMetadata: () => {
      source.onLoad()
      const { at, playing } = resume.current
      if (media.current === null || at === 0) return
      media.current.currentTime = at
      // Browsers may refuse to play without a user gesture.
      if (playing) media.current.play().catch(() => undefined)
    },
  }
}
