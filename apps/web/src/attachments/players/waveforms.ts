import type { Session } from '#src/session/session.ts'
import type { ShownFile } from '../shown-file.ts'
import { readWaveform, type Waveform, waveformRange } from '../transfer/waveform.ts'

/** Maximum number of waveforms kept in memory. */
const MAX_KEPT = 500

const sessions = new WeakMap<Session, Waveforms>()

/** Waveforms of recordings, each read once from the last bytes of its file. */
export class Waveforms {
  readonly #kept = new Map<string, Promise<Waveform | null>>()

  static of(session: Session): Waveforms {
    const waveforms = sessions.get(session) ?? new Waveforms()
    sessions.set(session, waveforms)
    return waveforms
  }

  /** Resolves with null if the file has no waveform or cannot be read. @param url download URL of the file */
  read({ id, size_bytes }: Pick<ShownFile, 'id' | 'size_bytes'>, url: string): Promise<Waveform | null> {
    const fetchOnce = () =>
      fetchWaveform(url, size_bytes).catch(() => {
        this.#kept.delete(id)
        return null
      })
    const reading = this.#kept.get(id) ?? fetchOnce()
    this.#kept.delete(id)
    this.#kept.set(id, reading)
    for (const oldest of [...this.#kept.keys()].slice(0, -MAX_KEPT)) this.#kept.delete(oldest)
    return reading
  }
}

async function fetchWaveform(url: string, sizeBytes: number): Promise<Waveform | null> {
  const range = waveformRange(sizeBytes)
  if (range === null) return null
  const stopping = new AbortController()
  const response = await fetch(url, { headers: { range }, credentials: 'omit', signal: stopping.signal })
  if (response.status === 206) return readWaveform(new Uint8Array(await response.arrayBuffer()))
  // A storage that ignores the range would send the whole file.
  stopping.abort()
  return null
}
