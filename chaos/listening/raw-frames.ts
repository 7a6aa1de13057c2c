/** As the gateway writes what has a place in the journal. */
const JOURNALED = /^\{"op":0,"t":"(?!READY|RESUMED)[A-Z_]+","s":"/

/** Frames as they came over the network, before the SDK leaves out what it has heard. */
export const rawFrames = { journaled: 0 }

/** Has every WebSocket of this process counted. */
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
