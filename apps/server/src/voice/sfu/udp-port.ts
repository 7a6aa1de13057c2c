import { randomInt } from 'node:crypto'
import { IceUdpMuxListener } from 'node-datachannel'

/** Ports that systems do not use for outgoing connections. */
const FREE_PORTS = { first: 20_000, last: 32_767 }
const MAX_TRIES = 50

/**
 * Opens the port that all connections of the process share, and keeps it open while the process runs: otherwise it
 * would close with the last connection.
 * @param port 0 takes a free one, which the native library cannot do itself
 * @throws if the port is in use
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
