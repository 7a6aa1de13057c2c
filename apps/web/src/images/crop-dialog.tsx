import { MAX_IMAGE_BYTES } from '@foyer/protocol/limits'
import { useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { isAnimated } from './animation.ts'
import { type Area, type Cut, cutPicture } from './crop.ts'
import './crop-dialog.css'
import { Cropper } from './cropper.tsx'
import { ImageError } from './image-error.tsx'
import { useObjectUrl } from './use-object-url.ts'

interface CropDialogProps {
  label: string
  file: File
  cut: Cut
  save: (image: Blob) => Promise<void>
  onClose: () => void
}

/** Asks which part of a picture is meant. One that moves stays whole: only its frames together are a picture. */
export function CropDialog({ label, file, cut, save, onClose }: CropDialogProps) {
  const url = useObjectUrl(file)
  const moves = useMoves(file)
  const [area, setArea] = useState<Area | null>(null)
  const [broken, setBroken] = useState(false)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isTooLarge = moves === true && file.size > MAX_IMAGE_BYTES
  const isReady = !broken && !isTooLarge && (moves === true || (moves === false && area !== null))

  async function use() {
    setPending(true)
    setError(null)
    try {
      await save(moves === true || area === null ? file : await cutPicture(file, area, cut))
      onClose()
    } catch (thrown) {
      setError(thrown)
      setPending(false)
    }
  }

  return (
    <Modal open onOpenChange={onClose} title={label}>
      {url !== null && moves === false && !broken && (
        <Cropper url={url} cut={cut} onArea={setArea} onBroken={() => setBroken(true)} />
      )}
      {url !== null && moves === true && !broken && (
        <>
          <div className={`crop-whole crop-whole-${cut.look}`}>
            <img
              src={url}
              alt={t('Preview of {name}', { name: file.name })}
              onError={() => setBroken(true)}
            />
          </div>
          <p className="crop-note">
            {t('A picture that moves is used whole. Where it is shown, its middle is seen.')}
          </p>
        </>
      )}
      {broken && (
        <p role="alert" className="form-error">
          {t('{name} cannot be read as a picture. Choose a PNG, JPEG, WebP, GIF or AVIF.', {
            name: file.name,
          })}
        </p>
      )}
      {isTooLarge && (
        <p role="alert" className="form-error">
          {t('The picture is over 10 MB. Choose a smaller one.')}
        </p>
      )}
      {error !== null && <ImageError error={error} />}
      <div className="form-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button look="primary" disabled={!isReady} pending={pending} onClick={() => void use()}>
          {t('Use picture')}
        </Button>
      </div>
    </Modal>
  )
}

/** Undefined until its bytes are read. */
function useMoves(file: File): boolean | undefined {
  const [moves, setMoves] = useState<boolean>()
  useEffect(() => {
    let isHere = true
    file.arrayBuffer().then(
      (buffer) => isHere && setMoves(isAnimated(new Uint8Array(buffer))),
      // What cannot be read cannot be shown either, and says so there.
      () => isHere && setMoves(false),
    )
    return () => {
      isHere = false
    }
  }, [file])
  return moves
}
