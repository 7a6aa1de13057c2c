import { callDebugger, openDebugger } from './debugger.ts'
import type { Foyer } from './foyer.ts'

interface HeapUsage {
  /** Bytes of objects. */
  usedSize: number
  /** Bytes of buffers, outside of V8's own memory. */
  backingStorageSize: number
}

/**
 * Makes the server collect its garbage, through Node's debugger, and returns the bytes of the remaining objects and buffers.
 * From the first call on, the debugger itself takes some memory.
 */
export async function collectGarbage(foyer: Foyer): Promise<number> {
  const url = await openDebugger(foyer)
  await callDebugger(url, 'HeapProfiler.collectGarbage')
  const { usedSize, backingStorageSize } = await callDebugger<HeapUsage>(url, 'Runtime.getHeapUsage')
  return usedSize + backingStorageSize
}
