// A provider's page may cut the window off from its opener, so both use a named channel.
const NAME = 'foyer.proof'

/** Notifies the other windows of this browser that a provider has confirmed a proof. */
export function announceProof(): void {
  const channel = new BroadcastChannel(NAME)
  channel.postMessage('confirmed')
  channel.close()
}

/** @returns a function that ends listening */
export function listenForProof(onProof: () => void): () => void {
  const channel = new BroadcastChannel(NAME)
  channel.onmessage = onProof
  return () => channel.close()
}
