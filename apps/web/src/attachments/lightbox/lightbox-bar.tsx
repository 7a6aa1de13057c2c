import { Dialog } from '@base-ui/react/dialog'
import { ExternalLink, X, ZoomIn, ZoomOut } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Hint, IconButton } from '#src/ui/buttons/icon-button.tsx'
import { DownloadLink } from '../download-link.tsx'
import type { ShownFile } from '../shown-file.ts'
import { formatSize } from '../transfer/size.ts'
import type { StageControls } from './lightbox-stage.tsx'
import { ZOOM_STEP } from './zoom.ts'

interface LightboxBarProps {
  file: ShownFile
  position: number
  count: number
  /** True if there may be more pictures than `count`. */
  hasMore: boolean
  /** Null for a video, which cannot be zoomed. */
  controls: RefObject<StageControls | null> | null
  origin: Origin | undefined
}

/** The message of a file: who sent it and when, and a link to it. */
export interface Origin {
  readonly words: string
  readonly link: ReactNode
}

/** The file's name and details, and buttons for it. */
export function LightboxBar({ file, position, count, hasMore, controls, origin }: LightboxBarProps) {
  const { signedUrls } = useSession()
  const original = signedUrls.usable(file) ?? file.url ?? undefined
  return (
    <header className="lightbox-bar">
      <div className="lightbox-texts">
        <Dialog.Title className="lightbox-title">{file.filename}</Dialog.Title>
        <p className="lightbox-note" role="status">
          {count > 1 && `${placeInWords({ position, count, hasMore })} · `}
          {file.width !== null && file.height !== null && `${file.width} × ${file.height} · `}
          {formatSize(file.size_bytes)}
        </p>
        {origin !== undefined && <p className="lightbox-note">{origin.words}</p>}
        {file.description !== null && (
          <Dialog.Description className="lightbox-description">{file.description}</Dialog.Description>
        )}
      </div>
      {controls !== null && (
        <>
          <IconButton
            label={t('Zoom out')}
            icon={<ZoomOut />}
            className="lightbox-zoom"
            onClick={() => controls.current?.zoomBy(1 / ZOOM_STEP)}
          />
          <IconButton
            label={t('Zoom in')}
            icon={<ZoomIn />}
            className="lightbox-zoom"
            onClick={() => controls.current?.zoomBy(ZOOM_STEP)}
          />
        </>
      )}
      {origin?.link}
      <Hint label={t('Open original')} side="bottom">
        <a
          className="icon-button"
          href={original}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('Open original')}
        >
          <ExternalLink aria-hidden="true" />
        </a>
      </Hint>
      <DownloadLink file={file} />
      <Dialog.Close render={<IconButton label={t('Close')} icon={<X />} />} />
    </header>
  )
}

function placeInWords({
  position: place,
  count,
  hasMore,
}: Pick<LightboxBarProps, 'position' | 'count' | 'hasMore'>): string {
  return hasMore ? t('{place} of {count}+', { place, count }) : t('{place} of {count}', { place, count })
}
