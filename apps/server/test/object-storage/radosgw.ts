import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { isAlive } from '#src/postgres/occupant.ts'
import { S3_HOST, writeCephConfig } from './ceph-config.ts'

/** Address and keys of a real S3 server. */
export interface RealS3 {
  /** Path-style endpoint, like `http://127.0.0.1:7480`. */
  endpoint: string
  /** Endpoint of virtual-hosted buckets. All subdomains resolve to this machine. */
  hostedEndpoint: string
  accessKeyId: string
  secretAccessKey: string
}

export interface RunningS3 extends RealS3 {
  stop(): Promise<void>
}

const PROGRAMS = ['radosgw', 'radosgw-admin', 'ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool']
const FOLDER_PREFIX = 'foyer-test-ceph-'
const COMMAND_TIMEOUT_MS = 60_000
const START_TIMEOUT_MS = 60_000
const POLL_MS = 50

const run = promisify(execFile)

/** Returns true if Ceph's object gateway and the programs it needs are installed, as Debian packages them. */
export function isRadosgwInstalled(): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [...PROGRAMS, 'setpriv'].every((name) => folders.some((folder) => isProgram(join(folder, name))))
}

/**
 * Starts Ceph's object gateway with one monitor and one in-memory disk, in about a second. It ends with this process.
 */
export async function startRadosgw(): Promise<RunningS3> {
  await removeLeftovers()
  const folder = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
  const [monitorPort, port] = [await freePort(), await freePort()]
  await writeCephConfig(folder, { monitorPort, port })
  const ceph = new Ceph(folder)
  try {
    await ceph.startCluster(monitorPort)
    await ceph.startGateway(port)
    const keys = await ceph.createUser()
    const [endpoint, hostedEndpoint] = [`http://127.0.0.1:${port}`, `http://${S3_HOST}:${port}`]
    return { ...keys, endpoint, hostedEndpoint, stop: () => ceph.stop() }
  } catch (error) {
    const said = await ceph.said()
    await ceph.stop()
    throw new Error(`radosgw did not start: ${said}`, { cause: error })
  }
}

class Ceph {
  readonly #folder: string
  readonly #daemons: ChildProcess[] = []

  constructor(folder: string) {
    this.#folder = folder
  }

  async startCluster(monitorPort: number): Promise<void> {
    const fsid = randomUUID()
    const [disk, keys] = [randomUUID(), ['--create-keyring', '--gen-key']]
    await Promise.all(['mon', 'osd'].map((name) => mkdir(join(this.#folder, name))))
    await this.#run('ceph-authtool', 'keyring', ...keys, '-n', 'mon.', '--cap', 'mon', 'allow *')
    const [admin, osd] = ['client.admin', 'osd.0'].map((name) => ['keyring', '--gen-key', '-n', name])
    await this.#run('ceph-authtool', ...(admin ?? []), '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *')
    await this.#run(
      'ceph-authtool',
      ...(osd ?? []),
      '--cap',
      'mon',
      'allow profile osd',
      '--cap',
      'osd',
      'allow *',
    )
    const address = `[v2:127.0.0.1:${monitorPort}]`
    await this.#run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', address, 'monmap')
    await this.#run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'keyring')
    this.#start('ceph-mon', '-i', 'a')
    await this.#run('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', disk)
    await this.#run('ceph', 'osd', 'new', disk)
    this.#start('ceph-osd', '-i', '0')
  }

  async startGateway(port: number): Promise<void> {
    const gateway = this.#start('radosgw', '-n', 'client.admin')
    const deadline = performance.now() + START_TIMEOUT_MS
    while (!(await answers(port))) {
      if (gateway.exitCode !== null || performance.now() > deadline) throw new Error('there is no answer')
      await delay(POLL_MS)
    }
  }

  async createUser(): Promise<{ accessKeyId: string; secretAccessKey: string }> {
    const keys = {
      accessKeyId: randomBytes(10).toString('hex'),
      secretAccessKey: randomBytes(20).toString('base64'),
    }
    const names = ['--uid', 'foyer', '--display-name', 'Foyer', '--max-buckets', '0']
    const given = ['--access-key', keys.accessKeyId, '--secret-key', keys.secretAccessKey]
    await this.#run('radosgw-admin', 'user', 'create', ...names, ...given)
    return keys
  }

  /** Returns the end of each log. */
  async said(): Promise<string> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.log'))
    const logs = await Promise.all(names.map((name) => readFile(join(this.#folder, name), 'utf8')))
    return logs.map((log, index) => `\n${names[index]}: ${log.slice(-1000)}`).join('')
  }

  /** Kills the daemons at once, because their data is not needed after the run. */
  async stop(): Promise<void> {
    const running = this.#daemons.filter(({ exitCode, signalCode }) => exitCode === null && !signalCode)
    await Promise.all(
      running.map((daemon) => {
        daemon.kill('SIGKILL')
        return once(daemon, 'exit')
      }),
    )
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 })
  }

  async #run(program: string, ...options: string[]): Promise<void> {
    const reads = PROGRAMS_OF_CONFIG.has(program) ? ['-c', 'ceph.conf'] : []
    await run(program, [...reads, ...options], { cwd: this.#folder, timeout: COMMAND_TIMEOUT_MS })
  }

  /** Starts a daemon that the kernel kills when this process ends, for whatever reason. */
  #start(program: string, ...options: string[]): ChildProcess {
    const command = ['--pdeathsig', 'KILL', program, '-f', '-c', 'ceph.conf', ...options]
    const daemon = spawn('setpriv', command, { cwd: this.#folder, stdio: 'ignore' })
    this.#daemons.push(daemon)
    return daemon
  }
}

const PROGRAMS_OF_CONFIG = new Set(['ceph', 'ceph-mon', 'ceph-osd', 'radosgw-admin'])

async function answers(port: number): Promise<boolean> {
  try {
    const { ok } = await fetch(`http://127.0.0.1:${port}/`)
    return ok
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('there is no free port')
  return address.port
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Removes the folders of killed runs. Their daemons have ended with them. */
async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(FOLDER_PREFIX))
  const dead = names.filter((name) => !isAlive(Number(name.slice(FOLDER_PREFIX.length).split('-')[0])))
  for (const name of dead) {
    const owner = await stat(join(tmpdir(), name)).catch(() => undefined)
    if (owner?.uid === process.getuid?.()) await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}
