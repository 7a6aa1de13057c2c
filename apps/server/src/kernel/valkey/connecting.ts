import { Cluster, Redis, type RedisCommander, type RedisOptions } from 'ioredis'

const DEFAULT_PORT = 6379
const MAX_RETRY_MS = 1000
/** Time without an answer after which Valkey counts as unavailable. */
const COMMAND_TIMEOUT_MS = 1000
const CONNECT_TIMEOUT_MS = 2000
/** Interval at which the servers of a cluster are asked for their slots. */
const SLOTS_REFRESH_MS = 5000

/** Commands available on one server and on a cluster. */
export type Commands = RedisCommander<{ type: 'default'; mapping: 'resp2' }>

/** Options of all connections: commands do not wait for an unavailable server, and are not sent twice. */
const bounds = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  // A link resubscribes itself. A failure here would be an unhandled rejection, which ends the process.
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: CONNECT_TIMEOUT_MS,
} as const satisfies RedisOptions

/** Connects to one server, and again whenever the connection is lost. */
export function connectTo(url: string, enableAutoPipelining = false): Redis {
  return new Redis(url, { ...bounds, retryStrategy: retryAfter, enableAutoPipelining })
}

/** Connects to a cluster through the given servers, with the credentials and TLS of the first one. */
export function connectToCluster(urls: readonly string[]): Cluster {
  const nodes = urls.map((url) => new URL(url))
  return new Cluster(
    nodes.map(({ hostname, port }) => ({ host: hostname, port: Number(port || DEFAULT_PORT) })),
    {
      redisOptions: { ...bounds, ...credentialsOf(nodes[0]) },
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      clusterRetryStrategy: retryAfter,
      maxRedirections: 4,
      slotsRefreshInterval: SLOTS_REFRESH_MS,
    },
  )
}

/** Returns the address of a cluster's server, with the credentials of another one. */
export function urlOfNode(node: string, seed: string): string {
  const url = new URL(seed)
  url.host = node.replace(/^([^:]*:.*):(\d+)$/, '[$1]:$2')
  return url.href
}

function credentialsOf(url: URL | undefined): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  if (url === undefined) return {}
  const { username, password, protocol } = url
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  }
}

function retryAfter(attempt: number): number {
  return Math.min(50 * attempt, MAX_RETRY_MS)
}
