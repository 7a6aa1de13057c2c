import { useCallback, useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { draftKeyOf } from '#src/store/draft.ts'
import { checkFiles } from '../transfer/file-check.ts'
import type { FileUpload } from '../transfer/upload-state.ts'
import type { Transferred } from './file-transfer.ts'
import { useDraftUploads } from './use-uploads.ts'

interface DraftFiles {
  readonly uploads: readonly FileUpload[]
  /** The reasons why files were not added, until the files change. */
  readonly refusals: readonly string[]
  /** @returns true if all files were added */
  readonly add: (chosen: Transferred) => boolean
  /** Returns the uploads for a message, and empties the draft. Null if one of them has failed. */
  readonly take: () => readonly string[] | null
}

const FOLDERS = t('You can’t attach folders. Attach the files inside instead.')
const NOT_ALLOWED = t('You can’t attach files in this room.')
const FAILED = t('A file couldn’t be uploaded. Retry or remove it.')

/** Returns the files of the draft. Like its text, they belong to the channel or thread. */
export function useDraftFiles(channel: Pick<OpenChannel, 'id' | 'threadId' | 'address' | 'may'>): DraftFiles {
  const { address } = channel
  const mayAttach = channel.may('AttachFiles')
  const key = draftKeyOf(channel)
  const { uploads: sender } = useSession()
  const uploads = useDraftUploads(key)
  const [feedback, setFeedback] = useState<Feedback>(NO_FEEDBACK)
  const isStuck = uploads.some(({ progress }) => progress.kind === 'failed' && !progress.lost)

  const add = useCallback(
    ({ files, hasFolders }: Transferred) => {
      if (!mayAttach) {
        setFeedback({ ...NO_FEEDBACK, refusals: [NOT_ALLOWED] })
        return false
      }
      const held = sender.api.getState().drafts[key]?.length ?? 0
      const { accepted, refusals } = checkFiles(files, held)
      if (accepted.length > 0) sender.add(address, accepted, key)
      setFeedback({
        ...NO_FEEDBACK,
        refusals: [...refusals, ...(hasFolders ? [FOLDERS] : [])],
        held: held + accepted.length,
      })
      return accepted.length === files.length && !hasFolders
    },
    [sender, address, key, mayAttach],
  )

  function take() {
    setFeedback({ ...NO_FEEDBACK, wasStuck: isStuck })
    return isStuck ? null : sender.take(key)
  }

  return { uploads, refusals: refusalsOf(feedback, uploads.length, isStuck), add, take }
}

interface Feedback {
  readonly refusals: readonly string[]
  /** Number of files at the time of the refusal. Once a file is removed, the refusals no longer apply. */
  readonly held: number
  /** True if sending was refused because a file had failed. */
  readonly wasStuck: boolean
}

const NO_FEEDBACK: Feedback = { refusals: [], held: 0, wasStuck: false }

function refusalsOf(
  { refusals, held, wasStuck }: Feedback,
  count: number,
  isStuck: boolean,
): readonly string[] {
  if (wasStuck && isStuck) return [FAILED]
  return count < held ? [] : refusals
}
