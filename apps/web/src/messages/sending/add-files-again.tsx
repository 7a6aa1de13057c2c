import { useRef } from 'react'
import type { FileUpload } from '#src/attachments/transfer/upload-state.ts'
import { useUploadsOf } from '#src/attachments/uploads/use-uploads.ts'
import { counted } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { OutgoingMessage } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { retryMessage, type Sender } from './send.ts'

/** Asks for the lost files of a message, and sends the message once it has all of them. */
export function AddFilesAgain({ message }: { message: OutgoingMessage }) {
  const session = useSession()
  const lost = useUploadsOf(message.upload_ids).filter(({ progress }) => progress.kind === 'swept')
  const input = useRef<HTMLInputElement>(null)
  const label = counted(lost.length, 'Add the file again', 'Add the files again')
  return (
    <>
      <Button look="text" onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple={lost.length > 1}
        hidden
        tabIndex={-1}
        aria-label={label}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // Lets the user choose the same file again.
          target.value = ''
          addAgain(session, message, { lost, files })
        }}
      />
    </>
  )
}

interface Chosen {
  readonly lost: readonly FileUpload[]
  readonly files: readonly File[]
}

function addAgain(session: Sender, message: OutgoingMessage, { lost, files }: Chosen): void {
  const { store, uploads } = session
  const pairs = pairUp(lost, files)
  const key = `again ${message.nonce}`
  uploads.add(
    message.channel,
    pairs.map(({ file }) => file),
    key,
  )
  const added = uploads.take(key)
  const replaced = new Map(pairs.map(({ id }, index) => [id, added[index] ?? id]))
  const complete = { ...message, upload_ids: message.upload_ids.map((id) => replaced.get(id) ?? id) }
  if (pairs.length === lost.length) retryMessage(session, complete)
  else store.dispatch('message_queued', complete)
  uploads.discard(pairs.map(({ id }) => id))
}

/** Pairs each lost upload with the file of the same name. Other files fill the remaining uploads in order. */
function pairUp(lost: readonly FileUpload[], files: readonly File[]): { id: string; file: File }[] {
  const named = lost.map(({ filename }) => files.find(({ name }) => name === filename))
  const others = files.filter((file) => !named.includes(file))
  return lost.flatMap(({ id }, index) => {
    const file = named[index] ?? others.shift()
    return file === undefined ? [] : { id, file }
  })
}
