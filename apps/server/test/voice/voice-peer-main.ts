// A client in a process of its own, for it to be killed: tells its offer, takes the answer, and says when media flows.
import { once } from 'node:events'
import { VoicePeer } from './voice-peer.ts'

await new VoicePeer({ tone: 440 }).join(async (offer) => {
  process.send?.(offer)
  const [answer] = await once(process, 'message')
  return answer
})
process.send?.('connected')
