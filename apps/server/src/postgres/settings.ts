import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'

const MIB = 2 ** 20
/** Memory available to this process: that of the machine, or the limit of the container. */
const memoryMib = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / MIB

/** Settings of all our clusters, sized for a machine that also runs everything else. */
export const DEFAULT_SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  // An eighth of the memory. In a search of millions of messages, each page outside of it takes 5 µs longer.
  shared_buffers: `${Math.round(Math.min(1024, Math.max(128, memoryMib / 8)))}MB`,
  effective_cache_size: `${Math.round(Math.max(512, memoryMib / 2))}MB`,
  maintenance_work_mem: '64MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'replica',
  max_wal_size: '1GB',
  checkpoint_timeout: '5min',
  // Assumes SSDs: a chat reads scattered rows, and random reads cost little more than sequential ones.
  random_page_cost: '1.1',
  // For short queries, compiling and starting workers take longer than they save.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Errors of single queries reach the caller. In the log they would repeat people's texts: "Key (email)=(…) exists".
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '',
  logging_collector: 'off',
  log_destination: 'stderr',
  restart_after_crash: 'on',
}

/** Free space that /dev/shm must have. PostgreSQL allocates segments of 1 MB and more there for its statistics alone. */
const MIN_SHARED_MEMORY_BYTES = 32 * MIB

/** Puts shared memory into files in the data folder if /dev/shm is missing or small, as in some containers. */
export async function sharedMemorySettings(): Promise<Record<string, string>> {
  if (process.platform !== 'linux') return {}
  const free = await statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free < MIN_SHARED_MEMORY_BYTES ? { dynamic_shared_memory_type: 'mmap' } : {}
}

/** Returns the settings as arguments of the command line, where they override an edited postgresql.conf. */
export function settingsArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
