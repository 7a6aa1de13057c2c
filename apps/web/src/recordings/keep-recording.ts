import type { OpenChannel } from '#src/channels/channel-context.ts'
import type { Session } from '#src/session/session.ts'
import { draftKeyOf } from '#src/store/draft.ts'
import type { Recorder } from './recorder.ts'

/** Where a recording can be kept. */
type Keeper = Pick<Session, 'store' | 'uploads'>

/** Ends a recording that its place on the screen was taken from: it waits among the files of the draft. */
export async function keepRecording(
  { store, uploads }: Keeper,
  channel: Pick<OpenChannel, 'address' | 'id' | 'threadId'>,
  recorder: Pick<Recorder, 'isOver' | 'finish'>,
): Promise<void> {
  if (recorder.isOver) return
  const file = await recorder.finish()
  const { rooms, conversations } = store.get()
  const isThere = channel.id in rooms || channel.id in conversations
  if (file !== null && isThere) uploads.add(channel.address, [file], draftKeyOf(channel))
}
