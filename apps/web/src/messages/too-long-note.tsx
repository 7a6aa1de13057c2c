import { limits } from '@foyer/protocol/limits'
import { type RefObject, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { draftKeyOf } from '#src/store/draft.ts'
import { Button } from '#src/ui/button.tsx'
import './too-long-note.css'
import type { ComposerState } from './use-composer.ts'
import { withoutSilent } from './use-draft.ts'

interface TooLongNoteProps {
  composer: Pick<ComposerState, 'draft' | 'files' | 'change'>
  input: RefObject<HTMLElement | null>
}

/** Why what is written cannot be sent, and what can be done instead: it goes along as a file, with names as they were typed. */
export function TooLongNote({ composer, input }: TooLongNoteProps) {
  const [pending, setPending] = useState(false)
  const attach = useAttach(composer)

  async function press() {
    input.current?.focus()
    setPending(true)
    await attach()
    setPending(false)
  }

  return (
    <div className="too-long-note">
      <span role="status">{t('A message has at most {max} characters.', { max: limits.messageMax })}</span>
      <Button look="text" pending={pending} onClick={() => void press()}>
        {t('Attach it as a file')}
      </Button>
    </div>
  )
}

/** The text goes from the field once it is stored: what is refused would have taken it along. */
function useAttach({ draft, files, change }: TooLongNoteProps['composer']): () => Promise<void> {
  const { store, uploads } = useSession()
  const key = draftKeyOf(useChannel())
  return async () => {
    const { text, isSilent } = withoutSilent(draft.content.trimStart())
    const file = new File([text], t('message.txt'), { type: 'text/plain' })
    if (!files.add({ files: [file], hasFolders: false })) return
    const added = uploads.api.getState().drafts[key]?.slice(-1) ?? []
    const isStored = await uploads.stored(added).then(
      () => true,
      () => false,
    )
    const isAsItWas = store.get().drafts[key]?.content === draft.content
    if (isStored && isAsItWas) change({ content: isSilent ? '@silent ' : '' })
  }
}
