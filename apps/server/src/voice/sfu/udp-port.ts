import { randomInt } from 'node:crypto'
import { IceUdpMuxListener } from 'node-datachannel'

/** Where the system does not take ports for outgoing connections from. */
const FREE_PORTS = { first: 20_000, last: 32_767 }
const MAX_TRIES = 50

/**
 * Opens the one port that all connections of the process share, and holds it for as long as the process runs: without,
 * it would be closed whenever the last of them ends.
 * @param port 0 takes a free one, which the native library does not
 * @throws where the port is taken
 */
export function openUdpPort(port: number): IceUdpMuxListener {
  return port === 0 ? openFreePort(MAX_TRIES) : new IceUdpMuxListener(port)
}

function openFreePort(tries: number): IceUdpMuxListener {
  try {
    return new IceUdpMuxListener(randomInt(FREE_PORTS.first, FREE_PORTS.last + 1))
  } catch (error) {
    if (tries <= 1) throw error
    return openFreePort(tries - 1)
  }
}
