import { useCallback, useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { draftKeyOf } from '#src/store/draft.ts'
import { checkFiles } from './file-check.ts'
import type { Transferred } from './file-transfer.ts'
import type { FileUpload } from './upload-state.ts'
import { useDraftUploads } from './use-uploads.ts'

interface DraftFiles {
  readonly uploads: readonly FileUpload[]
  /** What to tell about files that were not taken, until something changes. */
  readonly refusals: readonly string[]
  /** @returns whether all of it goes along */
  readonly add: (chosen: Transferred) => boolean
  /** Hands them over to a message; null when there is one that cannot be sent. */
  readonly take: () => readonly string[] | null
}

const FOLDERS = t('Folders cannot be attached. Attach their files.')
const FAILED = t('A file could not be sent. Try it again, or remove it.')

/** The files of the message that is being written: they belong to the channel or the thread, as its text does. */
export function useDraftFiles(channel: OpenChannel): DraftFiles {
  const { address } = channel
  const key = draftKeyOf(channel)
  const { uploads: sender } = useSession()
  const uploads = useDraftUploads(key)
  const [told, setTold] = useState<Told>(NOTHING_TOLD)
  const isStuck = uploads.some(({ progress }) => progress.kind === 'failed' && !progress.lost)

  const add = useCallback(
    ({ files, hasFolders }: Transferred) => {
      const held = sender.api.getState().drafts[key]?.length ?? 0
      const { accepted, refusals } = checkFiles(files, held)
      if (accepted.length > 0) sender.add(address, accepted, key)
      setTold({
        ...NOTHING_TOLD,
        refusals: [...refusals, ...(hasFolders ? [FOLDERS] : [])],
        held: held + accepted.length,
      })
      return accepted.length === files.length && !hasFolders
    },
    [sender, address, key],
  )

  function take() {
    setTold({ ...NOTHING_TOLD, wasStuck: isStuck })
    return isStuck ? null : sender.take(key)
  }

  return { uploads, refusals: refusalsOf(told, uploads.length, isStuck), add, take }
}

interface Told {
  readonly refusals: readonly string[]
  /** How many files there were: once one of them is removed, the refusals are no news any more. */
  readonly held: number
  /** Sending was refused because of a file that had failed. */
  readonly wasStuck: boolean
}

const NOTHING_TOLD: Told = { refusals: [], held: 0, wasStuck: false }

function refusalsOf({ refusals, held, wasStuck }: Told, count: number, isStuck: boolean): readonly string[] {
  if (wasStuck && isStuck) return [FAILED]
  return count < held ? [] : refusals
}
