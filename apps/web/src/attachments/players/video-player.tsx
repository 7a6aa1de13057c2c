import { t } from '#src/language/texts.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { FileCard } from '../file-card.tsx'
import { FileLine } from '../file-line.tsx'
import { boxOf } from '../transfer/gallery-layout.ts'
import './players.css'
import type { ShownFile } from '../shown-file.ts'
import { usePlayer } from './use-player.ts'

/** A video player, or a card to download the file if this browser cannot play it. */
export function VideoPlayer({ file }: { file: ShownFile }) {
  const player = usePlayer<HTMLVideoElement>(file)
  const tabIndex = useRowPart()
  const { width, height } = boxOf(file)
  if (player.isBroken) return <FileCard file={file} note={t('This browser can’t play this file.')} />
  return (
    <figure className="video" style={{ width }}>
      {/* biome-ignore lint/a11y/useMediaCaption: people's own videos have none */}
      <video
        key={player.attempt}
        ref={player.media}
        src={player.src}
        style={{ aspectRatio: `${width} / ${height}` }}
        controls
        playsInline
        preload="metadata"
        tabIndex={tabIndex}
        aria-label={file.description ?? file.filename}
        onError={player.onError}
        onLoadedMetadata={player.onLoadedMetadata}
      />
      <FileLine file={file} />
    </figure>
  )
}
