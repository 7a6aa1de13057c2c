import { limits } from '@foyer/protocol/limits'
import type { RefObject } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { draftKeyOf } from '#src/store/draft.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import './too-long-note.css'
import type { ComposerState } from './use-composer.ts'
import { withoutSilent } from './use-draft.ts'

interface TooLongNoteProps {
  composer: Pick<ComposerState, 'draft' | 'files' | 'change'>
  input: RefObject<HTMLElement | null>
}

/** Explains that the text is too long and offers to send it as a file, with names as they were typed. */
export function TooLongNote({ composer, input }: TooLongNoteProps) {
  const { pending, run } = useAction()
  const attach = useAttach(composer)

  function press() {
    input.current?.focus()
    run(attach)
  }

  return (
    <div className="too-long-note">
      <span role="status">{t('That’s over the {max}-character limit.', { max: limits.messageMax })}</span>
      <Button look="text" pending={pending} onClick={press}>
        {t('Send as a file instead')}
      </Button>
    </div>
  )
}

/** Attaches the text as a file. Clears the field only once the file is stored, so that a failed upload loses no text. */
function useAttach({ draft, files, change }: TooLongNoteProps['composer']): () => Promise<void> {
  const { store, uploads } = useSession()
  const key = draftKeyOf(useChannel())
  return async () => {
    const { text, isSilent } = withoutSilent(draft.content.trimStart())
    const file = new File([text], t('message.txt'), { type: 'text/plain' })
    if (!files.add({ files: [file], hasFolders: false })) return
    const added = uploads.api.getState().drafts[key]?.slice(-1) ?? []
    await uploads.stored(added)
    const isAsItWas = store.get().drafts[key]?.content === draft.content
    if (isAsItWas) change({ content: isSilent ? '@silent ' : '' })
  }
}
