// Client in its own process, for tests to kill. Sends its offer to the parent, receives the answer, and reports when
// media flows.
import { once } from 'node:events'
import { VoicePeer } from './voice-peer.ts'

await new VoicePeer({ tone: 440 }).join(async (offer) => {
  process.send?.(offer)
  const [answer] = await once(process, 'message')
  return answer
})
process.send?.('connected')
