import { t } from '#src/language/texts.ts'
import { FileCard } from '../file-card.tsx'
import { usePlayer } from '../players/use-player.ts'
import type { ShownFile } from '../shown-file.ts'

/** One video, which plays immediately. If this browser cannot play it, it can be downloaded. */
export function LightboxVideo({ file }: { file: ShownFile }) {
  const player = usePlayer<HTMLVideoElement>(file)
  if (player.isBroken)
    return (
      <div className="lightbox-film">
        <FileCard file={file} note={t('This browser can’t play this file.')} />
      </div>
    )
  return (
    <div className="lightbox-film">
      {/* biome-ignore lint/a11y/useMediaCaption: people's own videos have none */}
      <video
        key={player.attempt}
        ref={player.media}
        src={player.src}
        controls
        autoPlay
        playsInline
        aria-label={file.description ?? file.filename}
        onError={player.onError}
        onLoadedMetadata={player.onLoadedMetadata}
      />
    </div>
  )
}
