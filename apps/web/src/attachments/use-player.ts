import { type RefObject, useEffect, useRef } from 'react'
import { useSession } from '#src/session/context.ts'
import type { ShownFile } from './shown-file.ts'
import { useSource } from './use-source.ts'

interface Player<Element> {
  readonly media: RefObject<Element | null>
  readonly src: string | undefined
  /** The element's key: another one loads the same address anew. */
  readonly attempt: number
  readonly isBroken: boolean
  readonly onError: () => void
  readonly onLoadedMetadata: () => void
}

/** A video or sound, which goes on where it was when its address stopped working after hours. */
export function usePlayer<Element extends HTMLMediaElement>(file: ShownFile): Player<Element> {
  const { uploads } = useSession()
  const source = useSource(file)
  const media = useRef<Element>(null)
  const resume = useRef({ at: 0, playing: false })
  const { id, upload, preview } = file

  // This browser's own serves as long as it is shown.
  useEffect(() => {
    if (upload !== null || preview === null) return
    return () => uploads.release(id)
  }, [uploads, id, upload, preview])

  return {
    media,
    src: preview ?? source.url ?? undefined,
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
      // Without a press on it a browser may refuse.
      if (playing) media.current.play().catch(() => undefined)
    },
  }
}
