import { ImagePlus, Trash2 } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import type { Cut } from './crop.ts'
import { FileButton } from './file-button.tsx'
import './image-field.css'
import { useImageDrop } from './use-image-drop.ts'

const CropDialog = lazyComponent(() => import('./crop-dialog.tsx').then((module) => module.CropDialog))

interface ImageFieldProps {
  /** The name of the picture, like "Space icon". */
  label: string
  hint: string
  cut: Cut
  /** The current picture. */
  preview: ReactNode
  hasPicture: boolean
  /** Called with null to remove the picture. */
  save: (image: Blob | null) => Promise<void>
}

/** Lets users choose, drop, crop and remove a picture of a space or user. Changes are saved immediately. */
export function ImageField({ label, hint, cut, preview, hasPicture, save }: ImageFieldProps) {
  const [file, setFile] = useState<File | null>(null)
  const removal = useAction()
  const choose = useRef<HTMLButtonElement>(null)
  const isRemoving = useRef(false)
  const { isOver, handlers } = useImageDrop(([first]) => setFile(first ?? null))

  useEffect(() => {
    if (hasPicture || !isRemoving.current) return
    isRemoving.current = false
    // The focused "Remove" button was removed with the picture.
    choose.current?.focus()
  }, [hasPicture])

  async function remove() {
    isRemoving.current = true
    await save(null).catch((error) => {
      isRemoving.current = false
      throw error
    })
  }

  return (
    <div className={`image-field image-field-${cut.look}`} data-over={isOver || undefined} {...handlers}>
      <div className="image-preview">{preview}</div>
      <div className="image-texts">
        <strong>{label}</strong>
        <p>{hint}</p>
        <div className="image-actions">
          <FileButton
            ref={choose}
            aria-label={hasPicture ? t('Change: {label}', { label }) : t('Choose: {label}', { label })}
            onFiles={([first]) => setFile(first ?? null)}
          >
            <ImagePlus aria-hidden="true" />
            {hasPicture ? t('Change') : t('Choose')}
          </FileButton>
          {hasPicture && (
            <Button
              aria-label={t('Remove: {label}', { label })}
              pending={removal.pending}
              onClick={() => removal.run(remove)}
            >
              <Trash2 aria-hidden="true" /> {t('Remove')}
            </Button>
          )}
        </div>
        {removal.error !== null && (
          <p role="alert" className="form-error">
            {removal.error}
          </p>
        )}
      </div>
      <Suspense>
        {file !== null && (
          <CropDialog label={label} file={file} cut={cut} save={save} onClose={() => setFile(null)} />
        )}
      </Suspense>
    </div>
  )
}
