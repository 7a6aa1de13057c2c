import { MAX_IMAGE_BYTES } from '@foyer/protocol/limits'
import { useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
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

/** Asks how to crop a picture. Animated pictures are not cropped, because only one frame would remain. */
export function CropDialog({ label, file, cut, save, onClose }: CropDialogProps) {
  const url = useObjectUrl(file)
  const isMoving = useIsAnimated(file)
  const [area, setArea] = useState<Area | null>(null)
  const [broken, setBroken] = useState(false)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isTooLarge = isMoving === true && file.size > MAX_IMAGE_BYTES
  const isReady = !broken && !isTooLarge && (isMoving === true || (isMoving === false && area !== null))

  async function use() {
    setPending(true)
    setError(null)
    try {
      await save(isMoving === true || area === null ? file : await cutPicture(file, area, cut))
      onClose()
    } catch (thrown) {
      setError(thrown)
      setPending(false)
    }
  }

  return (
    <Modal open onOpenChange={onClose} title={label}>
      {url !== null && isMoving === false && !broken && (
        <Cropper url={url} cut={cut} onArea={setArea} onBroken={() => setBroken(true)} />
      )}
      {url !== null && isMoving === true && !broken && (
        <>
          <div className={`crop-whole crop-whole-${cut.look}`}>
            <img
              src={url}
              alt={t('Preview of {name}', { name: file.name })}
              onError={() => setBroken(true)}
            />
          </div>
          <p className="crop-note">
            {t('Animated pictures can’t be cropped. Only the middle part is shown.')}
          </p>
        </>
      )}
      {broken && (
        <p role="alert" className="form-error">
          {t('Can’t read {name} as a picture. Choose a PNG, JPEG, WebP, GIF or AVIF.', {
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

/** Returns true for an animated picture; undefined until its bytes are read. */
function useIsAnimated(file: File): boolean | undefined {
  const [isMoving, setIsMoving] = useState<boolean>()
  useEffect(() => {
    let isMounted = true
    file.arrayBuffer().then(
      (buffer) => isMounted && setIsMoving(isAnimated(new Uint8Array(buffer))),
      // An unreadable file fails to load as an image too, which shows the error.
      () => isMounted && setIsMoving(false),
    )
    return () => {
      isMounted = false
    }
  }, [file])
  return isMoving
}
