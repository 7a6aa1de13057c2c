import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MAX_UPLOAD_BYTES } from '@foyer/protocol/limits'
import { type Static, Type } from 'typebox'
import { Check, Convert, Default, Errors } from 'typebox/value'
import { SERVICES, type Service, servicesNamed } from './kernel/services.ts'

const GIB = 1024 ** 3

/** Every setting of the environment: its type, its default and what it is for. The README's table is made of this. */
export const Settings = Type.Object({
  PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'TCP port to listen on; 0 takes a free one',
  }),
  HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'Address to listen on; 0.0.0.0 for all',
  }),
  DATA_DIR: Type.String({
    default: './data',
    minLength: 1,
    description: 'Folder for the database, files, mails and secrets',
  }),
  PUBLIC_URL: Type.String({
    default: '',
    description:
      'Address that people use, like https://chat.example.org; by default the one that is listened on',
  }),
  DATABASE_URL: Type.String({
    default: '',
    description: 'PostgreSQL 15 or newer; without it one is started in DATA_DIR',
  }),
  DATABASE_POOLING: Type.Enum(['none', 'session', 'transaction'], {
    default: 'none',
    description:
      'How the PgBouncer at DATABASE_URL pools, if one is there; transaction needs DIRECT_DATABASE_URL',
  }),
  DIRECT_DATABASE_URL: Type.String({
    default: '',
    description: 'PostgreSQL itself, for migrations, jobs and indexing, where DATABASE_URL is a PgBouncer',
  }),
  READ_DATABASE_URL: Type.String({
    default: '',
    description:
      'A standby of DATABASE_URL, on which history and search are read as long as it has all that is committed',
  }),
  VALKEY_URL: Type.String({
    default: '',
    description:
      'Valkey or Redis 7 or newer, like redis://host:6379 or rediss:// with TLS, that joins several processes; they also share DATABASE_URL and SECRET_KEY. Several addresses, separated by commas, are servers of one cluster',
  }),
  SERVICES: Type.String({
    default: SERVICES.join(','),
    description:
      'What this process does, like `--services=` on the command line, which goes before: `api` answers requests, `gateway` holds WebSockets, `jobs` works behind both; fewer than all need VALKEY_URL',
  }),
  SMTP_URL: Type.String({
    default: '',
    description:
      'Mail server, like smtp://user:password@host:587; without it mails go to the log and to DATA_DIR/mailbox',
  }),
  MAIL_FROM: Type.String({
    default: 'Foyer <foyer@localhost>',
    minLength: 3,
    description: 'Sender of mails',
  }),
  INCLUDED_STORAGE_BYTES: Type.Integer({
    default: 5 * GIB,
    minimum: 0,
    description: "What a space may add of the server's own storage as a bucket, in bytes; 0 turns it off",
  }),
  DEFAULT_STORAGE_BYTES: Type.Integer({
    default: GIB,
    minimum: 0,
    description:
      "What each space without a bucket, and each user, may keep in the server's own storage, in bytes; 0 for no limit",
  }),
  UPLOAD_LIMIT_BYTES: Type.Integer({
    default: GIB,
    minimum: 1,
    maximum: MAX_UPLOAD_BYTES,
    description: "The largest file in the server's own storage, in bytes",
  }),
  S3_ENDPOINT: Type.String({
    default: '',
    description:
      "S3-compatible object storage for the server's own files, like https://s3.example.org; without it they are in DATA_DIR/files",
  }),
  S3_REGION: Type.String({ default: 'us-east-1', minLength: 1, description: 'Its region' }),
  S3_BUCKET: Type.String({ default: '', description: 'Its bucket' }),
  S3_ACCESS_KEY_ID: Type.String({ default: '', description: 'Its access key' }),
  S3_SECRET_ACCESS_KEY: Type.String({ default: '', description: 'Its secret key' }),
  S3_USE_PATH_STYLE: Type.Enum(['true', 'false'], {
    default: 'true',
    description: 'Whether the bucket is named in the path, or else in the host name',
  }),
  ALLOWED_PRIVATE_HOSTS: Type.String({
    default: '',
    description:
      'Hosts, addresses or ranges of private networks, separated by commas, that storage buckets and links may name',
  }),
  LINK_PREVIEWS: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether the server looks at what links in messages lead to, and shows it',
  }),
  SECRET_KEY: Type.String({
    default: '',
    description:
      'At least 32 characters from which all keys are derived; without it one is made and kept in DATA_DIR',
  }),
  TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Addresses or ranges, separated by commas, whose X-Forwarded-For is believed',
  }),
  RATE_LIMITS: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Limits of requests and connections, also for want of time; off for benchmarks and tests',
  }),
  GATEWAY_BACKLOG_BYTES: Type.Integer({
    default: 0,
    minimum: 0,
    description:
      'What a process keeps at the most for gateway clients that have not read it yet, in bytes; 0 for an eighth of the memory, up to 2 GiB',
  }),
  METRICS_TOKEN: Type.String({
    default: '',
    description: 'Bearer token for /metrics; without it only this machine may read them',
  }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    description: 'What to log',
  }),
})
type Settings = Static<typeof Settings>

/** An S3-compatible bucket with its credentials. */
export interface S3Settings {
  endpoint: string
  region: string
  bucketName: string
  accessKeyId: string
  secretAccessKey: string
  usePathStyle: boolean
}

export interface Config {
  port: number
  host: string
  dataDir: string
  publicUrl: string | undefined
  databaseUrl: string | undefined
  databasePooling: Settings['DATABASE_POOLING']
  directDatabaseUrl: string | undefined
  readDatabaseUrl: string | undefined
  valkeyUrl: string | undefined
  services: readonly Service[]
  smtpUrl: string | undefined
  mailFrom: string
  secretKey: string | undefined
  includedStorageBytes: number
  /** Undefined for no limit. */
  defaultStorageBytes: number | undefined
  uploadLimitBytes: number
  /** Undefined for the folder in `dataDir`. */
  s3: S3Settings | undefined
  allowedPrivateHosts: string[]
  linkPreviews: boolean
  trustedProxies: string[]
  rateLimits: boolean
  /** Undefined for a part of the memory. */
  gatewayBacklogBytes: number | undefined
  metricsToken: string | undefined
  logLevel: string
  version: string
}

const MIN_SECRET_LENGTH = 32

/**
 * Reads the configuration, once, from the environment.
 * @param args of the command line
 * @throws Error that names the setting which is wrong
 */
export function readConfig(
  environment: NodeJS.ProcessEnv = process.env,
  args: readonly string[] = [],
): Config {
  const settings = parse(environment)
  if (settings.SECRET_KEY !== '' && settings.SECRET_KEY.length < MIN_SECRET_LENGTH) {
    throw new Error(`SECRET_KEY must have at least ${MIN_SECRET_LENGTH} characters`)
  }
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: settings.DATA_DIR,
    publicUrl: optional(settings.PUBLIC_URL.replace(/\/+$/, '')),
    databaseUrl: optional(settings.DATABASE_URL),
    ...readPooling(settings),
    readDatabaseUrl: optional(settings.READ_DATABASE_URL),
    valkeyUrl: readValkeyUrl(settings),
    services: readServices(settings, args),
    smtpUrl: optional(settings.SMTP_URL),
    mailFrom: settings.MAIL_FROM,
    secretKey: optional(settings.SECRET_KEY),
    includedStorageBytes: settings.INCLUDED_STORAGE_BYTES,
    defaultStorageBytes: settings.DEFAULT_STORAGE_BYTES || undefined,
    uploadLimitBytes: settings.UPLOAD_LIMIT_BYTES,
    s3: readS3(settings),
    allowedPrivateHosts: listOf(settings.ALLOWED_PRIVATE_HOSTS),
    linkPreviews: settings.LINK_PREVIEWS === 'on',
    trustedProxies: listOf(settings.TRUSTED_PROXIES),
    rateLimits: settings.RATE_LIMITS === 'on',
    gatewayBacklogBytes: settings.GATEWAY_BACKLOG_BYTES || undefined,
    metricsToken: optional(settings.METRICS_TOKEN),
    logLevel: settings.LOG_LEVEL,
    version: readVersion(),
  }
}

function parse(environment: NodeJS.ProcessEnv): Settings {
  const given = Object.keys(Settings.properties).flatMap((name) => {
    const value = environment[name]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  const settings: unknown = Convert(Settings, Default(Settings, Object.fromEntries(given)))
  if (Check(Settings, settings)) return settings
  const [problem] = Errors(Settings, settings)
  throw new Error(`${problem?.instancePath.slice(1)} ${problem?.message}`)
}

/** Over a connection that is another one each time, nobody can listen for jobs. */
function readPooling(settings: Settings): Pick<Config, 'databasePooling' | 'directDatabaseUrl'> {
  const { DATABASE_POOLING, DIRECT_DATABASE_URL } = settings
  if (DATABASE_POOLING === 'transaction' && DIRECT_DATABASE_URL === '')
    throw new Error('DATABASE_POOLING=transaction needs DIRECT_DATABASE_URL')
  return { databasePooling: DATABASE_POOLING, directDatabaseUrl: optional(DIRECT_DATABASE_URL) }
}

/** Processes that are joined must have what they share. */
function readValkeyUrl(settings: Settings): string | undefined {
  if (settings.VALKEY_URL === '') return undefined
  const missing = (['DATABASE_URL', 'SECRET_KEY'] as const).find((name) => settings[name] === '')
  if (missing !== undefined) throw new Error(`VALKEY_URL needs ${missing}`)
  const isAddress = (url: string) => /^rediss?:\/\/[^/]/.test(url) && URL.canParse(url)
  if (!listOf(settings.VALKEY_URL).every(isAddress))
    throw new Error('VALKEY_URL must be addresses like redis://host:6379, separated by commas')
  return listOf(settings.VALKEY_URL).join(',')
}

function readServices(settings: Settings, args: readonly string[]): Service[] {
  const { values } = parseArgs({ args: [...args], options: { services: { type: 'string' } } })
  const [given, source] =
    values.services === undefined ? [settings.SERVICES, 'SERVICES'] : [values.services, '--services']
  const services = servicesNamed(listOf(given), source)
  if (services.length < SERVICES.length && settings.VALKEY_URL === '')
    throw new Error(`${source} without all of ${SERVICES.join(', ')} needs VALKEY_URL`)
  return services
}

function readS3(settings: Settings): S3Settings | undefined {
  if (settings.S3_ENDPOINT === '') return undefined
  const names = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const missing = names.find((name) => settings[name] === '')
  if (missing !== undefined) throw new Error(`S3_ENDPOINT needs ${missing}`)
  return {
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    bucketName: settings.S3_BUCKET,
    accessKeyId: settings.S3_ACCESS_KEY_ID,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
    usePathStyle: settings.S3_USE_PATH_STYLE === 'true',
  }
}

function listOf(setting: string): string[] {
  return setting
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function optional(value: string): string | undefined {
  return value === '' ? undefined : value
}

function readVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return manifest.version
}
