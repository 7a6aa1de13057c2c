import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Number of the namespace in which this process id is valid; containers have one each. Empty on systems other than
 * Linux.
 */
export const processNamespace = readNamespace()

/** Identifies the scope of process ids. Containers may share a host name and a folder, and all be process 1. */
export const home = [hostname(), processNamespace].filter(Boolean).join('-')

function readNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}
