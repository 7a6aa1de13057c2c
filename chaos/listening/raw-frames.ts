/** Matches the gateway's frames that have a position in the journal. */
const JOURNALED = /^\{"op":0,"t":"(?!READY|RESUMED)[A-Z_]+","s":"/

/** Counts frames from the network, before the SDK drops duplicates. */
export const rawFrames = { journaled: 0 }

/** Counts the frames of every WebSocket of this process. */
export function countFrames(): void {
  globalThis.WebSocket = class extends WebSocket {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given)
      this.addEventListener('message', ({ data }) => {
        if (JOURNALED.test(data)) rawFrames.journaled += 1
      })
    }
  }
}
