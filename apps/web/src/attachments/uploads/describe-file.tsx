import { limits } from '@foyer/protocol/limits'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import './describe-file.css'
import type { FileUpload } from '../transfer/upload-state.ts'

interface DescribeFileProps {
  upload: FileUpload
  onClose: () => void
}

/** Asks for a picture's alternative text. Not a form, since submitting it would also submit the composer's form. */
export function DescribeFile({ upload, onClose }: DescribeFileProps) {
  const { uploads } = useSession()
  const [typed, setTyped] = useState(upload.description ?? '')
  const { id, filename, preview } = upload

  function save() {
    uploads.describe(id, typed)
    onClose()
  }

  return (
    <Modal open onOpenChange={onClose} title={t('Describe {filename}', { filename })}>
      {preview !== null && <img className="describe-picture" src={preview} alt="" />}
      <div className="form">
        <TextField
          name="description"
          label={t('Description (alt text)')}
          hint={t('Screen readers read it to people who can’t see the picture.')}
          autoComplete="off"
          maxLength={limits.descriptionMax}
          render={<textarea rows={4} />}
          value={typed}
          onValueChange={setTyped}
        />
        <div className="form-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" onClick={save}>
            {t('Save')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
