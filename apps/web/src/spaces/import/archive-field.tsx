import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'

interface ArchiveFieldProps {
  pending: boolean
  onChoose: (file: File) => void
}

/** A button that opens the browser's file dialog for an archive. */
export function ArchiveField({ pending, onChoose }: ArchiveFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button look="primary" pending={pending} onClick={() => input.current?.click()}>
        <Upload aria-hidden="true" /> {t('Choose an archive')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept=".zip,application/zip"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file !== undefined) onChoose(file)
          // Otherwise choosing the same file again would fire no event.
          event.target.value = ''
        }}
      />
    </>
  )
}
