import type { Foyer } from './foyer.ts'

/** Interval at which the server measures its lag. The measured lag includes this interval. */
const RESOLUTION_MS = 10

export interface LoopLag {
  p50: number
  p99: number
  max: number
}

/** Reads the lag of the server's event loop in milliseconds, since the last call or since the server started. */
export async function readLoopLag({ port }: Foyer): Promise<LoopLag> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  const text = await response.text()
  const seconds = (name: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1])
  const ms = (name: string) => Math.max(0, seconds(name) * 1000 - RESOLUTION_MS)
  return { p50: ms('p50'), p99: ms('p99'), max: ms('max') }
}
