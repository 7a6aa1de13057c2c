import { Suspense } from 'react'
import { t } from '#src/language/texts.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { FileCard } from '../file-card.tsx'
import { FileLine } from '../file-line.tsx'
import './players.css'
import type { ShownFile } from '../shown-file.ts'
import { usePlayer } from './use-player.ts'

const RecordingPlayer = lazyComponent(() =>
  import('./recording-player.tsx').then((module) => module.RecordingPlayer),
)

/** Content types of recordings made in a browser. */
const RECORDED = /^audio\/(mp4|ogg|webm)\b/
/** Maximum size of a recording: more than the 15 minutes that a recording may last need. Larger files are probably music. */
const MAX_RECORDING_BYTES = 5_000_000

export function AudioPlayer({ file }: { file: ShownFile }) {
  if (!RECORDED.test(file.content_type) || file.size_bytes > MAX_RECORDING_BYTES)
    return <SoundPlayer file={file} />
  return (
    <Suspense fallback={<Waiting file={file} />}>
      <RecordingPlayer file={file} />
    </Suspense>
  )
}

/** Placeholder with the height of the player that replaces it. */
function Waiting({ file }: { file: ShownFile }) {
  return (
    <figure className="audio">
      <FileLine file={file} />
      <div className="recording-player" />
    </figure>
  )
}

/** The browser's own player, which also has a volume control. */
function SoundPlayer({ file }: { file: ShownFile }) {
  const player = usePlayer<HTMLAudioElement>(file)
  const tabIndex = useRowPart()
  if (player.isBroken) return <FileCard file={file} note={t('This browser can’t play this file.')} />
  return (
    <figure className="audio">
      <FileLine file={file} />
      {/* biome-ignore lint/a11y/useMediaCaption: people's own sounds have none */}
      <audio
        key={player.attempt}
        ref={player.media}
        src={player.src}
        controls
        preload="metadata"
        tabIndex={tabIndex}
        aria-label={file.description ?? file.filename}
        onError={player.onError}
        onLoadedMetadata={player.onLoadedMetadata}
      />
    </figure>
  )
}
