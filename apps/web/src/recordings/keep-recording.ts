import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Session } from '#src/session/session.ts'
import { channelIdOf } from '#src/store/channels.ts'
import type { Recorder } from './recorder.ts'

/** Where a recording can be kept. */
type Keeper = Pick<Session, 'store' | 'uploads'>

/** Ends a recording that its place on the screen was taken from: it waits among the files of its channel's draft. */
export async function keepRecording(
  { store, uploads }: Keeper,
  channel: ChannelAddress,
  recorder: Pick<Recorder, 'isOver' | 'finish'>,
): Promise<void> {
  if (recorder.isOver) return
  const file = await recorder.finish()
  const { rooms, conversations } = store.get()
  const id = channelIdOf(channel)
  const isThere = id in rooms || id in conversations
  if (file !== null && isThere) uploads.add(channel, [file])
}
