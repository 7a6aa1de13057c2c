import type { Foyer } from './foyer.ts'

/** The server looks at its clock this often, and counts that in. */
const RESOLUTION_MS = 10

export interface LoopLag {
  p50: number
  p99: number
  max: number
}

/** How late the server's event loop came, in milliseconds, since this was last asked, or since it began. */
export async function readLoopLag({ port }: Foyer): Promise<LoopLag> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  const text = await response.text()
  const seconds = (name: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1])
  const ms = (name: string) => Math.max(0, seconds(name) * 1000 - RESOLUTION_MS)
  return { p50: ms('p50'), p99: ms('p99'), max: ms('max') }
}
