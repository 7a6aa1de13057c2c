import { limits } from '@foyer/protocol/limits'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/button.tsx'
import './too-long-note.css'
import type { ComposerState } from './use-composer.ts'
import { withoutSilent } from './use-draft.ts'

interface TooLongNoteProps {
  composer: Pick<ComposerState, 'draft' | 'files' | 'change'>
  input: RefObject<HTMLElement | null>
}

/** Why what is written cannot be sent, and what can be done instead: it goes along as a file, with names as they were typed. */
export function TooLongNote({ composer: { draft, files, change }, input }: TooLongNoteProps) {
  function attach() {
    const { text, isSilent } = withoutSilent(draft.content)
    const file = new File([text], t('message.txt'), { type: 'text/plain' })
    if (files.add({ files: [file], hasFolders: false })) change({ content: isSilent ? '@silent ' : '' })
    input.current?.focus()
  }

  return (
    <div className="too-long-note">
      <span role="status">{t('A message has at most {max} characters.', { max: limits.messageMax })}</span>
      <Button look="text" onClick={attach}>
        {t('Attach it as a file')}
      </Button>
    </div>
  )
}
