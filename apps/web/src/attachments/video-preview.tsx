import { Play } from 'lucide-react'
import { useState } from 'react'
import { elapsedClock } from '#src/ui/time/elapsed.ts'
import './video-preview.css'
import type { ShownFile } from './shown-file.ts'
import { useSource } from './use-source.ts'

/** Position of the first frame, in seconds. Safari shows none at 0 until the video plays. */
const FIRST_FRAME = 0.01

/** The first frame of a video and its length, filling the box around it. A video that cannot be loaded has only the play icon. */
export function VideoPreview({ file }: { file: ShownFile }) {
  const source = useSource(file)
  const [seconds, setSeconds] = useState<number | null>(null)
  return (
    <span className="video-preview" role="img" aria-label={file.description ?? file.filename}>
      {source.url !== null && !source.isBroken && (
        <video
          key={source.attempt}
          src={`${source.url}#t=${FIRST_FRAME}`}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
          aria-hidden="true"
          onError={source.onError}
          onLoadedMetadata={({ currentTarget: { duration } }) => {
            source.onLoad()
            // Recordings of browsers do not contain their length.
            setSeconds(Number.isFinite(duration) ? duration : null)
          }}
        />
      )}
      <span className="video-preview-sign" aria-hidden="true">
        <Play />
      </span>
      {seconds !== null && (
        <span className="video-preview-length" aria-hidden="true">
          {elapsedClock(Math.ceil(seconds) * 1000)}
        </span>
      )}
    </span>
  )
}
