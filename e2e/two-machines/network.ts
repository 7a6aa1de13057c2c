import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { freePort } from '../../apps/server/test/valkey/valkey.ts'

/** A machine's place in the network. */
export interface Place {
  /** Host name in the machine's PUBLIC_URL, which is in no DNS. */
  name: string
  /** Address at which this process, its browser and the ACME server reach the machine. */
  address: string
  httpPort: number
  httpsPort: number
  /** Prefix of each command that runs on the machine. */
  inside: readonly string[]
  /** Additional lines for the machine's settings if it has to use the ports of this machine. */
  settings: readonly string[]
  /** Lists the ids of processes that still run on the machine. */
  processes(): number[]
}

/** Two machines that this machine can reach. */
export interface Network {
  places: readonly [Place, Place]
  /** Address of this machine for the other two. */
  address: string
  /** Reason why both machines share this one's network, on unusual ports; undefined if each has its own network. */
  trouble: string | undefined
  close(): void
}

const [HTTP_PORT, HTTPS_PORT] = [80, 443]
/** Prefix of 256 addresses for this run, from a range reserved for tests of networks (RFC 2544), which nobody else uses. */
const RUN = `198.${18 + ((process.pid >> 8) % 2)}.${process.pid % 256}`

/**
 * Gives each name a machine: a network namespace with a cable (a veth pair) to this machine. If namespaces are not permitted,
 * this machine takes the place of both, and only one of them may run at a time.
 */
export async function openNetwork(names: readonly [string, string]): Promise<Network> {
  const trouble = namespaceTrouble()
  if (trouble !== undefined) return shareThisMachine(names, trouble)
  sweep()
  const [first, second] = names
  using undo = new DisposableStack()
  const hosts = [first, second].map((name, index) => `${addressOf(index)} ${name}`)
  const firstPlace = plugIn(first, 0, hosts)
  undo.defer(() => unplug(0))
  const places = [firstPlace, plugIn(second, 1, hosts)] as const
  undo.move()
  return {
    ...{ places, address: routerOf(0), trouble: undefined },
    close: () => [0, 1].forEach(unplug),
  }
}

/** Removes the machines of runs that were killed. */
function sweep(): void {
  for (const [name = '', pid] of ip('netns', 'list').matchAll(/^foyer-(\d+)-\S+/gm)) {
    if (existsSync(`/proc/${pid}`)) continue
    for (const left of processesOf(name)) quietly(() => process.kill(left, 'SIGKILL'))
    quietly(() => ip('netns', 'delete', name))
    rmSync(namesOf(name), { recursive: true, force: true })
  }
}

function processesOf(namespace: string): number[] {
  return ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number)
}

function namespaceTrouble(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const name = `foyer-${process.pid}-try`
  try {
    ip('netns', 'add', name)
    ip('netns', 'exec', name, 'true')
    return undefined
  } catch (error) {
    return `network namespaces are not permitted here: ${error instanceof Error ? error.message : error}`
  } finally {
    quietly(() => ip('netns', 'delete', name))
  }
}

/** Creates the namespace, and the cable (a veth pair) to it. */
function plugIn(name: string, index: number, hosts: readonly string[]): Place {
  const [namespace, cable] = [namespaceOf(index), cableOf(index)]
  try {
    ip('netns', 'add', namespace)
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    ip('address', 'add', `${routerOf(index)}/30`, 'dev', cable)
    ip('link', 'set', cable, 'up')
    ip('-n', namespace, 'address', 'add', `${addressOf(index)}/30`, 'dev', 'eth0')
    for (const device of ['eth0', 'lo']) ip('-n', namespace, 'link', 'set', device, 'up')
    ip('-n', namespace, 'route', 'add', 'default', 'via', routerOf(index))
    writeNames(namespace, hosts)
  } catch (error) {
    unplug(index)
    throw error
  }
  return {
    ...{ name, address: addressOf(index), httpPort: HTTP_PORT, httpsPort: HTTPS_PORT, settings: [] },
    inside: ['ip', 'netns', 'exec', namespace],
    processes: () => processesOf(namespace),
  }
}

/** Writes the files that `ip netns exec` shows to its command instead of those in /etc. */
function writeNames(namespace: string, hosts: readonly string[]): void {
  const folder = namesOf(namespace)
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/hosts`, ['127.0.0.1 localhost', ...hosts, ''].join('\n'))
  // No DNS server listens at this address, so the real DNS is never asked.
  writeFileSync(`${folder}/resolv.conf`, 'nameserver 127.0.0.1\n')
}

/** Removes what exists of a machine. Deleting the namespace also deletes the cable. */
function unplug(index: number): void {
  quietly(() => ip('netns', 'delete', namespaceOf(index)))
  quietly(() => ip('link', 'delete', cableOf(index)))
  rmSync(namesOf(namespaceOf(index)), { recursive: true, force: true })
}

function namespaceOf(index: number): string {
  return `foyer-${process.pid}-${index}`
}

function namesOf(namespace: string): string {
  return `/etc/netns/${namespace}`
}

/** Returns the name of a network device, which may have 15 characters at most. */
function cableOf(index: number): string {
  return `fy${process.pid}-${index}`
}

function routerOf(index: number): string {
  return `${RUN}.${index * 4 + 1}`
}

function addressOf(index: number): string {
  return `${RUN}.${index * 4 + 2}`
}

function ip(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function quietly(remove: () => unknown): void {
  try {
    remove()
  } catch {
    // Thrown if there is nothing to remove.
  }
}

async function shareThisMachine(names: readonly [string, string], trouble: string): Promise<Network> {
  const [port, httpPort, httpsPort] = await Promise.all([freePort(), freePort(), freePort()])
  const address = '127.0.0.1'
  // The README names these settings for users who may not open ports 80 and 443. With PORT, HTTPS is off by default.
  const ports = [`HTTP_PORT=${httpPort}`, `HTTPS_PORT=${httpsPort}`, `PORT=${port}`, 'VOICE_PORT=0']
  const settings = ['TLS=acme', ...ports]
  const place = { address, httpPort, httpsPort, inside: [], settings, processes: () => [] }
  const [first, second] = names
  return {
    ...{
      places: [
        { ...place, name: first },
        { ...place, name: second },
      ],
      address,
      trouble,
    },
    close: () => undefined,
  }
}
