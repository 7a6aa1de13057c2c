import type { MediaRights } from '#src/voice/engine.ts'
import type { SfuProcess } from './sfu-process.ts'
import { VoicePeer, type VoicePeerOptions } from './voice-peer.ts'

/** Joins the room, and resolves when media flows. The session and its user have the same name. */
export async function enterRoom(
  sfu: SfuProcess,
  [name, roomId]: readonly [name: string, roomId: string],
  options: VoicePeerOptions & { rights?: Partial<MediaRights> } = {},
): Promise<VoicePeer> {
  await sfu.join(name, roomId, options.rights)
  return new VoicePeer(options).join((offer) => sfu.signal(name, offer))
}
