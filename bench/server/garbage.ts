import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Foyer } from './foyer.ts'

const MAX_WAIT_MS = 10_000
const POLL_MS = 50

interface HeapUsage {
  /** Of objects. */
  usedSize: number
  /** Of buffers, outside of V8's own memory. */
  backingStorageSize: number
}

/**
 * Makes the server collect its garbage, through Node's own debugger, and answers with the bytes of JavaScript that are
 * left. The debugger itself takes some memory, from the first call on.
 */
export async function collectGarbage({ pid, logPath }: Foyer): Promise<number> {
  if (debuggerUrl(logPath) === undefined) process.kill(pid, 'SIGUSR1')
  const deadline = performance.now() + MAX_WAIT_MS
  while (debuggerUrl(logPath) === undefined && performance.now() < deadline) await sleep(POLL_MS)
  const url = debuggerUrl(logPath)
  if (url === undefined) throw new Error('the debugger of the server does not answer')
  await call(url, 'HeapProfiler.collectGarbage')
  const { usedSize, backingStorageSize } = await call(url, 'Runtime.getHeapUsage')
  return usedSize + backingStorageSize
}

function debuggerUrl(logPath: string): string | undefined {
  return /Debugger listening on (ws:\S+)/.exec(readFileSync(logPath, 'utf8'))?.[1]
}

function call(url: string, method: string): Promise<HeapUsage> {
  const socket = new WebSocket(url)
  return new Promise((resolve, reject) => {
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, method }))
    socket.onmessage = ({ data }) => {
      const answer: { result: HeapUsage } = JSON.parse(String(data))
      resolve(answer.result)
      socket.close()
    }
    socket.onerror = () => reject(new Error('the debugger of the server cannot be reached'))
  })
}
