import { useEffect, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import type { ShownFile } from '../shown-file.ts'
import type { Waveform } from '../transfer/waveform.ts'
import { Waveforms } from './waveforms.ts'

/** Returns the waveform of a recording; null until it is read, and if the recording has none. */
export function useWaveform(
  { id, size_bytes }: Pick<ShownFile, 'id' | 'size_bytes'>,
  url: string | null,
): Waveform | null {
  const waveforms = Waveforms.of(useSession())
  const [waveform, setWaveform] = useState<Waveform | null>(null)

  useEffect(() => {
    if (url === null) return
    let isStale = false
    waveforms.read({ id, size_bytes }, url).then((read) => isStale || setWaveform(read))
    return () => {
      isStale = true
    }
  }, [waveforms, id, size_bytes, url])

  return waveform
}
