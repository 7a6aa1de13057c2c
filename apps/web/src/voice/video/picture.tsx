import { useEffect, useRef, useState } from 'react'
import './picture.css'

interface PictureProps {
  track: MediaStreamTrack
  /** Mirrors the picture, as users expect of their own camera. */
  isMirrored?: boolean
}

/** A moving picture. Its sound, if any, is played elsewhere. It stays hidden until its first frame. */
export function Picture({ track, isMirrored = false }: PictureProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [shown, setShown] = useState<MediaStreamTrack | null>(null)

  useEffect(() => {
    const element = video.current
    if (element === null) return
    element.srcObject = new MediaStream([track])
    // Refused only when the element is gone.
    element.play().catch(() => undefined)
    return () => {
      element.srcObject = null
    }
  }, [track])

  return (
    <video
      ref={video}
      className="picture"
      data-mirrored={isMirrored || undefined}
      data-shown={shown === track || undefined}
      muted
      playsInline
      aria-hidden="true"
      tabIndex={-1}
      onLoadedData={() => setShown(track)}
    />
  )
}
