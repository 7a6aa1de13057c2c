import { constants } from 'node:fs'
import { access, realpath, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import pg from 'pg'
import type { Config } from '#src/config.ts'
import { portHostOf } from '#src/kernel/tls/settings.ts'
import { missingMail } from '#src/operating/operations/still-missing.ts'
import { SOCKET_PORT } from '#src/postgres/socket.ts'
import { examine, type Finding } from './finding.ts'

const TIMEOUT_MS = 5000
const GIB = 1024 ** 3
const OLDEST_POSTGRES = 15

/** Returns the address of the server with these settings on this machine; undefined while it does not run. */
export async function findServer(
  config: Pick<Config, 'host' | 'port' | 'tls' | 'services'>,
): Promise<string | undefined> {
  const { port } = config
  const host = portHostOf(config)
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const url = `http://${name}:${port}`
  const isHealthy = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
  return isHealthy ? url : undefined
}

/** Examines everything except voice. */
export async function examineInstallation(config: Config, serverUrl: string | undefined): Promise<Finding[]> {
  return Promise.all([
    examineServer(config, serverUrl),
    examineFolder(config),
    examineDatabase(config, serverUrl),
    examineMail(config),
    examineMetrics(config, serverUrl),
  ])
}

function examineServer({ publicUrl, tls }: Config, serverUrl: string | undefined): Promise<Finding> {
  const remedy =
    tls === undefined
      ? 'check that the proxy at PUBLIC_URL forwards everything to PORT, and that its certificate is valid'
      : `check that ${tls.host} is the address of this machine, and that port 443 leads to HTTPS_PORT`
  return examine('server', remedy, async () => {
    const isRunning =
      serverUrl === undefined ? 'it does not run with these settings' : `it runs at ${serverUrl}`
    if (publicUrl === undefined || serverUrl === undefined) return { verdict: 'note', says: isRunning }
    const { status } = await fetch(`${publicUrl}/api/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (status !== 200) throw new Error(`${publicUrl}/api/health answers ${status}`)
    return `${isRunning}, and ${publicUrl} leads to it`
  })
}

function examineFolder({ dataDir }: Config): Promise<Finding> {
  const remedy = 'set DATA_DIR to a folder that the server may write to'
  return examine('data folder', remedy, async () => {
    const isThere = await access(dataDir).then(
      () => true,
      () => false,
    )
    if (!isThere) return { verdict: 'note', says: `${dataDir} is created at the first start` }
    await access(dataDir, constants.W_OK)
    const { bavail, bsize } = await statfs(dataDir)
    const says = `${dataDir} has ${((bavail * bsize) / GIB).toFixed(1)} GiB free`
    return bavail * bsize > GIB
      ? says
      : { verdict: 'bad', says, remedy: 'free up disk space: less than 1 GiB is left' }
  })
}

function examineDatabase(config: Config, serverUrl: string | undefined): Promise<Finding> {
  const { databaseUrl, dataDir } = config
  const remedy =
    databaseUrl === undefined
      ? 'look at the log of the server'
      : 'check that DATABASE_URL leads to a PostgreSQL that is running'
  return examine('database', remedy, async () => {
    if (databaseUrl === undefined && serverUrl === undefined)
      return { verdict: 'note', says: 'it starts with the server' }
    const version = await askVersion(await connectionOf(databaseUrl, dataDir))
    if (Number.parseInt(version, 10) >= OLDEST_POSTGRES) return `PostgreSQL ${version} answers`
    return {
      verdict: 'bad',
      says: `it is PostgreSQL ${version}`,
      remedy: `upgrade it to PostgreSQL ${OLDEST_POSTGRES} or newer`,
    }
  })
}

/** Returns the connection to the database of the settings, or of the running server. */
export async function connectionOf(
  databaseUrl: string | undefined,
  dataDir: string,
): Promise<pg.ClientConfig> {
  if (databaseUrl !== undefined) return { connectionString: databaseUrl }
  const host = await realpath(join(dataDir, 'postgres-socket'))
  return { host, port: SOCKET_PORT, user: 'foyer', database: 'foyer' }
}

async function askVersion(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  await client.connect()
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version ?? ''
  } finally {
    await client.end()
  }
}

function examineMail(config: Config): Promise<Finding> {
  const remedy = 'check that SMTP_URL has the right host, port, user and password'
  return examine('mail', remedy, async () => {
    const missing = missingMail(config)
    if (missing !== undefined) return { verdict: 'note', says: missing.says, remedy: missing.remedy }
    const times = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
    await createTransport({ url: config.smtpUrl, ...times }).verify()
    return 'the mail server accepts the connection'
  })
}

/** Reads the metrics as Prometheus does on this machine. */
function examineMetrics(
  { publicUrl, metricsToken }: Config,
  serverUrl: string | undefined,
): Promise<Finding> {
  const remedy = 'check that the server was started with this METRICS_TOKEN'
  return examine('metrics', remedy, async () => {
    if (publicUrl !== undefined && metricsToken === undefined) {
      const says = 'nobody may read /metrics: PUBLIC_URL is set, and METRICS_TOKEN is not'
      return {
        verdict: 'note',
        says,
        remedy: 'set METRICS_TOKEN, and give it to Prometheus as a bearer token',
      }
    }
    const whom = metricsToken === undefined ? 'this machine' : 'clients with METRICS_TOKEN'
    if (serverUrl === undefined) return { verdict: 'note', says: `/metrics will be open to ${whom}` }
    const headers: Record<string, string> =
      metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` }
    const { status } = await fetch(`${serverUrl}/metrics`, {
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (status !== 200) throw new Error(`/metrics answers ${status}`)
    return `/metrics is open to ${whom}`
  })
}
