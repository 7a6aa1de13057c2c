import { ImageOff } from 'lucide-react'
import { type CSSProperties, type RefObject, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { MovableImage } from '#src/images/movable-image.tsx'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import type { ShownFile } from '../shown-file.ts'
import type { Size } from '../transfer/gallery-layout.ts'
import { mayMove } from '../transfer/kinds.ts'
import { useSource } from '../use-source.ts'
import { useZoom } from './use-zoom.ts'

/** Zoom controls for buttons and keys. */
export interface StageControls {
  zoomBy(factor: number): void
  reset(): void
}

interface LightboxStageProps {
  file: ShownFile
  controls: RefObject<StageControls | null>
  onSwipe: (direction: 1 | -1) => void
  onDismiss: () => void
}

/** One picture that can be zoomed and moved. It is shown whole at first. */
export function LightboxStage({ file, controls, onSwipe, onDismiss }: LightboxStageProps) {
  const source = useSource(file)
  const frame = useRef<HTMLDivElement>(null)
  const [measured, setMeasured] = useState<Size | null>(null)
  const { width, height } = file
  const natural = useMemo(
    () => measured ?? (width !== null && height !== null ? { width, height } : null),
    [measured, width, height],
  )
  const { zoom, zoomBy, reset } = useZoom({ frame, natural, onSwipe, onDismiss })
  useImperativeHandle(controls, () => ({ zoomBy, reset }))

  return (
    <div ref={frame} className="lightbox-stage" data-zoomed={zoom.scale > 1 || undefined}>
      {source.isBroken ? (
        <p className="lightbox-broken" role="alert">
          <ImageOff aria-hidden="true" />
          {t('Couldn’t load {filename}.', { filename: file.filename })}{' '}
          <Button onClick={source.again}>{t('Try again')}</Button>
        </p>
      ) : (
        (source.url ?? file.preview) !== null && (
          <div
            className="lightbox-picture"
            style={{
              transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`,
              ...(natural !== null && boxIn(natural)),
            }}
          >
            <MovableImage
              key={source.attempt}
              src={source.url ?? file.preview ?? undefined}
              alt={file.description ?? file.filename}
              moves={mayMove(file.content_type)}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
                source.onLoad()
                setMeasured({ width: naturalWidth, height: naturalHeight })
              }}
              onError={source.onError}
            />
          </div>
        )
      )}
    </div>
  )
}

/** Returns the size of `fitted` as CSS: the picture fits the stage and is not enlarged. */
function boxIn({ width, height }: Size): CSSProperties {
  const ratio = width / height
  return { width: `min(${width}px, 100cqw, ${ratio} * 100cqh)`, aspectRatio: ratio }
}
