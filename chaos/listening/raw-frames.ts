/** Matches the gateway's frames that have a position in the journal. */
const JOURNALED = /^\{"op":0,"t":"(?!READY|RESUMED)[A-Z_]+","s":"/

/** Counts frames from the network, before the SDK drops duplicates. */
export const rawFrames = { journaled: 0 }

/** Counts the journaled frames received on each WebSocket that this process opens from now on. */
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
