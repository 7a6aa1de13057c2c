import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Foyer } from './foyer.ts'

const MAX_WAIT_MS = 10_000
const POLL_MS = 50

/** Makes the server open Node's debugger, and returns its address. */
export async function openDebugger({ pid, logPath }: Foyer): Promise<string> {
  if (debuggerUrl(logPath) === undefined) process.kill(pid, 'SIGUSR1')
  const deadline = performance.now() + MAX_WAIT_MS
  while (debuggerUrl(logPath) === undefined && performance.now() < deadline) await sleep(POLL_MS)
  const url = debuggerUrl(logPath)
  if (url === undefined) throw new Error('the debugger of the server does not answer')
  return url
}

/** Calls one method of the debugger. */
export function callDebugger<Result>(url: string, method: string, params: object = {}): Promise<Result> {
  const socket = new WebSocket(url)
  return new Promise((resolve, reject) => {
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, method, params }))
    socket.onmessage = ({ data }) => {
      const answer: { result: Result } = JSON.parse(String(data))
      resolve(answer.result)
      socket.close()
    }
    socket.onerror = () => reject(new Error('the debugger of the server cannot be reached'))
  })
}

function debuggerUrl(logPath: string): string | undefined {
  return /Debugger listening on (ws:\S+)/.exec(readFileSync(logPath, 'utf8'))?.[1]
}
