import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { Check, Convert, Default, Errors } from 'typebox/value'
import { MIN_SECRET_KEY_CHARACTERS } from './kernel/secret-key.ts'
import { SERVICES, type Service, servicesNamed } from './kernel/services.ts'
import { Settings } from './settings.ts'

/** An S3-compatible bucket with its credentials. */
export interface S3Settings {
  endpoint: string
  region: string
  bucketName: string
  accessKeyId: string
  secretAccessKey: string
  usePathStyle: boolean
}

export interface LiveKitSettings {
  /** Address for clients. */
  url: string
  apiKey: string
  apiSecret: string
}

/** The voice engine, and its addresses for clients. */
export interface VoiceSettings {
  /** UDP port; 0 for any free one. */
  port: number
  processes: number
  publicIps: string[]
  /** Addresses with the schemes stun, stuns, turn and turns. */
  iceServers: string[]
  /** Defined if one of them is a TURN server. */
  turnSecret: string | undefined
  roomLimit: number
  /** Undefined for the embedded engine. */
  livekit: LiveKitSettings | undefined
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
  minFreeDiskBytes: number
  /** Undefined for no limit. */
  defaultStorageBytes: number | undefined
  /** Undefined for no limit. */
  ownerStorageBytes: number | undefined
  uploadLimitBytes: number
  /** Undefined for the folder in `dataDir`. */
  s3: S3Settings | undefined
  allowedPrivateHosts: string[]
  linkPreviews: boolean
  voice: VoiceSettings
  trustedProxies: string[]
  rateLimits: boolean
  /** Undefined for a share of the memory. */
  gatewayBacklogBytes: number | undefined
  metricsToken: string | undefined
  logLevel: string
  version: string
}

/**
 * Reads the configuration from the environment. Called once.
 * @param args of the command line
 * @throws Error that names the invalid setting
 */
export function readConfig(
  environment: NodeJS.ProcessEnv = process.env,
  args: readonly string[] = [],
): Config {
  const settings = parse(environment)
  if (settings.SECRET_KEY !== '' && settings.SECRET_KEY.length < MIN_SECRET_KEY_CHARACTERS) {
    throw new Error(`SECRET_KEY must have at least ${MIN_SECRET_KEY_CHARACTERS} characters`)
  }
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: settings.DATA_DIR,
    publicUrl: optional(settings.PUBLIC_URL.replace(/(?<!\/)\/+$/, '')),
    databaseUrl: optional(settings.DATABASE_URL),
    ...readPooling(settings),
    readDatabaseUrl: optional(settings.READ_DATABASE_URL),
    valkeyUrl: readValkeyUrl(settings),
    services: readServices(settings, args),
    smtpUrl: optional(settings.SMTP_URL),
    mailFrom: settings.MAIL_FROM,
    secretKey: optional(settings.SECRET_KEY),
    includedStorageBytes: settings.INCLUDED_STORAGE_BYTES,
    minFreeDiskBytes: settings.MIN_FREE_DISK_BYTES,
    defaultStorageBytes: settings.DEFAULT_STORAGE_BYTES || undefined,
    ownerStorageBytes: readOwnerStorage(settings),
    uploadLimitBytes: settings.UPLOAD_LIMIT_BYTES,
    s3: readS3(settings),
    allowedPrivateHosts: listOf(settings.ALLOWED_PRIVATE_HOSTS),
    linkPreviews: settings.LINK_PREVIEWS === 'on',
    voice: readVoice(settings),
    trustedProxies: listOf(settings.TRUSTED_PROXIES),
    rateLimits: settings.RATE_LIMITS === 'on',
    gatewayBacklogBytes: settings.GATEWAY_BACKLOG_BYTES || undefined,
    metricsToken: optional(settings.METRICS_TOKEN),
    logLevel: settings.LOG_LEVEL,
    version: readVersion(),
  }
}

/**
 * Keeps PGSSLMODE, PGOPTIONS and the like from the embedded database, which has no TLS and settings of its own. With
 * DATABASE_URL they apply as usual.
 */
export function forgetPostgresVariables(environment: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(environment)) if (name.startsWith('PG')) delete environment[name]
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

/** Default: five times the limit of a space. */
function readOwnerStorage(settings: Settings): number | undefined {
  const { OWNER_STORAGE_BYTES, INCLUDED_STORAGE_BYTES, DEFAULT_STORAGE_BYTES } = settings
  if (OWNER_STORAGE_BYTES !== undefined) return OWNER_STORAGE_BYTES || undefined
  return DEFAULT_STORAGE_BYTES === 0 ? undefined : 5 * (INCLUDED_STORAGE_BYTES + DEFAULT_STORAGE_BYTES)
}

/** Through a transaction pooler nobody can listen for jobs. */
function readPooling(settings: Settings): Pick<Config, 'databasePooling' | 'directDatabaseUrl'> {
  const { DATABASE_POOLING, DIRECT_DATABASE_URL } = settings
  if (DATABASE_POOLING === 'transaction' && DIRECT_DATABASE_URL === '')
    throw new Error('DATABASE_POOLING=transaction needs DIRECT_DATABASE_URL')
  return { databasePooling: DATABASE_POOLING, directDatabaseUrl: optional(DIRECT_DATABASE_URL) }
}

/** Joined processes must share a Valkey. */
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

function readVoice(settings: Settings): VoiceSettings {
  const { VOICE_PORT, VOICE_PROCESSES } = settings
  if (VOICE_PORT + VOICE_PROCESSES > 65_536)
    throw new Error('VOICE_PORT leaves too few ports above it for VOICE_PROCESSES')
  const publicIps = listOf(settings.PUBLIC_IP)
  if (!publicIps.every((address) => isIP(address) > 0))
    throw new Error('PUBLIC_IP must be an IP address, or several, separated by commas')
  return {
    port: VOICE_PORT,
    processes: VOICE_PROCESSES,
    publicIps,
    ...readIceServers(settings),
    roomLimit: settings.VOICE_ROOM_LIMIT,
    livekit: readLiveKit(settings),
  }
}

/** Browsers refuse to start a call with a TURN server without credentials. */
function readIceServers(settings: Settings): Pick<VoiceSettings, 'iceServers' | 'turnSecret'> {
  const iceServers = listOf(settings.VOICE_ICE_SERVERS)
  if (!iceServers.every((url) => /^(stuns?:[^\s/?]+|turns?:[^\s/?]+(\?transport=(udp|tcp))?)$/.test(url)))
    throw new Error(
      'VOICE_ICE_SERVERS must be addresses like stun:host:3478 and turn:host:3478?transport=udp',
    )
  if (settings.TURN_SECRET === '' && iceServers.some((url) => url.startsWith('turn')))
    throw new Error('a TURN server in VOICE_ICE_SERVERS needs TURN_SECRET')
  return { iceServers, turnSecret: optional(settings.TURN_SECRET) }
}

function readLiveKit(settings: Settings): LiveKitSettings | undefined {
  if (settings.VOICE_ENGINE === 'embedded') return undefined
  const names = ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'] as const
  const missing = names.find((name) => settings[name] === '')
  if (missing !== undefined) throw new Error(`VOICE_ENGINE=livekit needs ${missing}`)
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = settings
  if (!/^(ws|http)s?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new Error('LIVEKIT_URL must be an address like wss://livekit.example.org')
  return { url, apiKey, apiSecret }
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
