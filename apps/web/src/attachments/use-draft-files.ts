import { useCallback, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { checkFiles } from './file-check.ts'
import type { Transferred } from './file-transfer.ts'
import type { FileUpload } from './upload-state.ts'
import { useDraftUploads } from './use-uploads.ts'

interface DraftFiles {
  readonly uploads: readonly FileUpload[]
  /** What to tell about files that were not taken, until something changes. */
  readonly refusals: readonly string[]
  readonly add: (chosen: Transferred) => void
  /** Hands them over to a message; null when there is one that cannot be sent. */
  readonly take: () => readonly string[] | null
}

const FOLDERS = 'Folders cannot be attached. Attach the files in it, or an archive of it.'
const FAILED = 'A file could not be sent. Try it again, or remove it.'

/** The files of the message that is being written in a room: they belong to the room, as its text does. */
export function useDraftFiles(roomId: string): DraftFiles {
  const { uploads: sender } = useSession()
  const uploads = useDraftUploads(roomId)
  const [refusals, setRefusals] = useState<readonly string[]>([])

  const add = useCallback(
    ({ files, hasFolders }: Transferred) => {
      const held = sender.api.getState().drafts[roomId]?.length ?? 0
      const { accepted, refusals } = checkFiles(files, held)
      if (accepted.length > 0) sender.add(roomId, accepted)
      setRefusals([...refusals, ...(hasFolders ? [FOLDERS] : [])])
    },
    [sender, roomId],
  )

  function take() {
    const isStuck = uploads.some(({ progress }) => progress.kind === 'failed' && !progress.lost)
    setRefusals(isStuck ? [FAILED] : [])
    return isStuck ? null : sender.take(roomId)
  }

  return { uploads, refusals, add, take }
}
