import type { OpenChannel } from '#src/channels/channel-context.ts'
import type { Session } from '#src/session/session.ts'
import { isKnownChannel } from '#src/store/channels.ts'
import { draftKeyOf } from '#src/store/draft.ts'
import type { Recorder } from './recorder.ts'

/** The part of the session that keeps a recording. */
type Keeper = Pick<Session, 'store' | 'uploads'>

/** Finishes a recording whose bar was closed, and attaches the file to the draft. */
export async function keepRecording(
  { store, uploads }: Keeper,
  channel: Pick<OpenChannel, 'address' | 'id' | 'threadId'>,
  recorder: Pick<Recorder, 'isOver' | 'finish'>,
): Promise<void> {
  if (recorder.isOver) return
  const file = await recorder.finish()
  if (file !== null && isKnownChannel(store.get(), channel.id))
    uploads.add(channel.address, [file], draftKeyOf(channel))
}
