import { PerMessageDeflate } from 'ws'

declare module 'ws' {
  /** Exported by `ws`, but missing from its types. */
  class PerMessageDeflate {
    decompress(data: Buffer, isLast: boolean, callback: (error: Error | null, text?: Buffer) => void): void
    /** Frees the buffers of the instance. The next message allocates them again. */
    cleanup(): void
  }
}

/**
 * Frees the inflate state of `ws` after each message. `ws` keeps it until the connection closes, although without
 * context takeover it contains nothing. Browsers compress even heartbeats, so this costs 20 KiB per connection, or 60
 * KiB on a fragmented heap; creating it again takes 30 µs of CPU. Only the gateway uses `ws` here, and it compresses
 * its own output.
 */
const { decompress } = PerMessageDeflate.prototype
PerMessageDeflate.prototype.decompress = function (data, isLast, callback) {
  decompress.call(this, data, isLast, (error, text) => {
    if (isLast) this.cleanup()
    callback(error, text)
  })
}
