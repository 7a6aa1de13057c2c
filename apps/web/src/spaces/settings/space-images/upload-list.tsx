import { RotateCw, X } from 'lucide-react'
import { memo } from 'react'
import { ImageError } from '#src/images/image-error.tsx'
import { useObjectUrl } from '#src/images/use-object-url.ts'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import type { QueuedImage, UploadQueue } from './upload-queue.ts'

interface UploadListProps {
  queue: UploadQueue
  onRetry: (id: string) => void
  onDismiss: (id: string) => void
}

/** Pictures being uploaded, and those that failed. */
export function UploadList({ queue, onRetry, onDismiss }: UploadListProps) {
  const isBusy = queue.done < queue.total
  const failed = queue.images.filter(({ state }) => state === 'failed').map(({ id }) => id)
  return (
    <>
      {isBusy && (
        <p className="upload-progress" role="status">
          {t('Adding {number} of {count}…', {
            number: Math.min(queue.done + 1, queue.total),
            count: queue.total,
          })}{' '}
          <progress value={queue.done} max={queue.total} aria-label={t('Upload progress')} />
        </p>
      )}
      {failed.length > 1 && (
        <div className="settings-actions">
          <Button onClick={() => failed.forEach(onRetry)}>{t('Retry all')}</Button>
          <Button onClick={() => failed.forEach(onDismiss)}>{t('Dismiss all')}</Button>
        </div>
      )}
      {queue.images.length > 0 && (
        <ul className="settings-list" aria-label={t('Uploads')}>
          {queue.images.map((image) => (
            <UploadRow key={image.id} image={image} onRetry={onRetry} onDismiss={onDismiss} />
          ))}
        </ul>
      )}
    </>
  )
}

interface UploadRowProps extends Pick<UploadListProps, 'onRetry' | 'onDismiss'> {
  image: QueuedImage
}

const UploadRow = memo(function UploadRow({ image, onRetry, onDismiss }: UploadRowProps) {
  const url = useObjectUrl(image.file)
  return (
    <li className="settings-row" data-state={image.state}>
      <span className="settings-person">
        <span className="image-tile">{url !== null && <img src={url} alt="" />}</span>
        <span className="settings-names">
          <span className="settings-name" dir="auto">
            {image.file.name}
          </span>
          <span className="settings-note">
            {image.state === 'waiting' && t('Waiting…')}
            {image.state === 'sending' && t('Uploading…')}
            {image.state === 'failed' && t('Not added')}
          </span>
        </span>
      </span>
      {image.state === 'failed' && (
        <>
          <span className="settings-actions">
            <IconButton
              label={t('Retry {name}', { name: image.file.name })}
              icon={<RotateCw />}
              onClick={() => onRetry(image.id)}
            />
            <IconButton
              label={t('Dismiss {name}', { name: image.file.name })}
              icon={<X />}
              onClick={() => onDismiss(image.id)}
            />
          </span>
          <ImageError error={image.error} />
        </>
      )}
    </li>
  )
})
