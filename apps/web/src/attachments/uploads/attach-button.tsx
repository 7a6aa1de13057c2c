import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import type { Transferred } from './file-transfer.ts'

/** The button that opens the browser's file dialog. */
export function AttachButton({ onFiles }: { onFiles: (chosen: Transferred) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={t('Attach files')} icon={<Paperclip />} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={t('Files to attach')}
        onChange={(event) => {
          onFiles({ files: [...(event.target.files ?? [])], hasFolders: false })
          // Otherwise choosing the same file again would fire no event.
          event.target.value = ''
        }}
      />
    </>
  )
}
