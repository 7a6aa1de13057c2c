import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Number of the namespace in which this process's id means something: containers have one each. Empty but on Linux. */
export const processNamespace = readNamespace()

/** Where process ids mean the same: containers may share a host's name and a folder, and all be process 1. */
export const home = [hostname(), processNamespace].filter(Boolean).join('-')

function readNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}
