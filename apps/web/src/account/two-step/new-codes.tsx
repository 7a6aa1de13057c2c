import { useId } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useCopy } from '#src/ui/buttons/use-copy.ts'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import './two-step.css'

interface NewCodesProps {
  codes: readonly string[]
  onClose: () => void
}

/** Shows new recovery codes. They cannot be shown again. */
export function NewCodes({ codes, onClose }: NewCodesProps) {
  const { copied, error, copy } = useCopy()
  const text = codes.join('\n')
  const id = useId()
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Save your recovery codes')}
      description={t(
        'If you lose your phone, sign in with one of these codes instead of a code from the app. Each code works once. You won’t be able to see them again.',
      )}
    >
      <div className="form">
        <ul className="recovery-codes" aria-label={t('Recovery codes')} id={id}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <ErrorLine message={error} />
        <div className="form-actions">
          <Button onClick={() => copy(text)}>{copied === text ? t('Copied') : t('Copy codes')}</Button>
          <a
            className="button button-quiet"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="foyer-recovery-codes.txt"
          >
            {t('Download')}
          </a>
          <Button look="primary" onClick={onClose}>
            {t('I’ve saved them')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
