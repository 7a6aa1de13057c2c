import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Number of the PID namespace in which this process's id is valid; each container has its own. Empty on systems other
 * than Linux.
 */
export const processNamespace = readNamespace()

/** Identifies the scope of process ids. Containers may share a host name and a folder, and each may have process id 1. */
export const home = [hostname(), processNamespace].filter(Boolean).join('-')

function readNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}
