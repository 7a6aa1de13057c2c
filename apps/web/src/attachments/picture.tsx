import { MovableImage } from '#src/images/movable-image.tsx'
import { useSession } from '#src/session/context.ts'
import { mayMove } from './transfer/kinds.ts'
import './picture.css'
import type { ShownFile } from './shown-file.ts'
import type { Source } from './use-source.ts'

interface PictureProps {
  file: ShownFile
  source: Source
  /** Loads the picture before it scrolls into view. */
  eager?: boolean
}

/** A picture that fills its box. The local preview stays below it until it has loaded, to avoid flicker. */
export function Picture({ file, source, eager = false }: PictureProps) {
  const { uploads } = useSession()
  const { id, description, filename, preview, content_type } = file
  const alt = description ?? filename
  return (
    <span className="file-picture">
      {preview !== null && (
        <img src={preview} alt={source.url === null ? alt : ''} decoding="sync" draggable={false} />
      )}
      {source.url !== null && (
        <MovableImage
          key={source.attempt}
          src={source.url}
          alt={alt}
          moves={mayMove(content_type)}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          onLoad={() => {
            source.onLoad()
            uploads.release(id)
          }}
          onError={source.onError}
        />
      )}
    </span>
  )
}
