import { t } from '#src/language/texts.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { FileCard } from '../file-card.tsx'
import { FileLine } from '../file-line.tsx'
import './players.css'
import type { ShownFile } from '../shown-file.ts'
import { usePlayer } from './use-player.ts'

export function AudioPlayer({ file }: { file: ShownFile }) {
  const player = usePlayer<HTMLAudioElement>(file)
  const tabIndex = useRowPart()
  if (player.isBroken) return <FileCard file={file} note={t('This browser can’t play it.')} />
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
