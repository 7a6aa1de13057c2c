import { MAX_UPLOAD_BYTES } from '@foyer/protocol/limits'
import { puzzleModes, registrationModes } from '@foyer/protocol/registration'
import { Type } from 'typebox'
import { BackupSettings } from './kernel/backup-settings.ts'
import { canonicalDomain, isMailAddress, isMailDomain } from './kernel/mail/addresses.ts'
import { readProviders } from './kernel/oidc/settings.ts'
import { MIN_SECRET_KEY_CHARACTERS } from './kernel/secrets/secret-key.ts'
import { SERVICES, servicesNamed } from './kernel/services.ts'
import {
  Choice,
  Count,
  List,
  NeededText,
  OptionalText,
  optional,
  Switch,
  Text,
  ZeroForNone,
} from './kernel/setting-kinds.ts'
import { LETS_ENCRYPT } from './kernel/tls/settings.ts'
import { VoiceSettings } from './kernel/voice-settings.ts'

const GIB = 1024 ** 3

/**
 * All settings, by their names in `Config`. Each entry names the environment variable and gives the type, the default, the
 * parsing and the row of the README's table.
 */
export const Settings = Type.Object({
  port: Count('PORT', 8080, 'TCP port to listen on; 0 takes a free one', { maximum: 65535 }),
  host: Text('HOST', '127.0.0.1', 'Address to listen on; 0.0.0.0 for all'),
  dataDir: Text('DATA_DIR', './data', 'Folder for the database, files, mails and secrets'),
  publicUrl: Type.Decode(
    OptionalText(
      'PUBLIC_URL',
      'Public address, like https://chat.example.org; default: the address it listens on',
    ),
    (url) => optional(url?.replace(/(?<!\/)\/+$/, '') ?? ''),
  ),
  https: Type.Object({
    mode: Choice(
      'TLS',
      ['auto', 'acme', 'off'],
      'auto',
      'HTTPS: `acme` gets a certificate by itself, `off` is for a proxy with TLS in front; `auto` uses TLS_CERT, or is `acme` if PUBLIC_URL is https with a name and no port, and PORT, HOST and TRUSTED_PROXIES are not set',
    ),
    certificate: OptionalText(
      'TLS_CERT',
      'File with your own certificate and the chain behind it (PEM); it is read again when it changes',
    ),
    key: OptionalText('TLS_KEY', 'File with its private key (PEM)'),
    httpsPort: Count('HTTPS_PORT', 443, 'TCP port for HTTPS', { minimum: 1, maximum: 65535 }),
    httpPort: Count('HTTP_PORT', 80, 'TCP port that redirects to HTTPS; 0 opens none', { maximum: 65535 }),
    directory: Text(
      'ACME_DIRECTORY',
      LETS_ENCRYPT,
      "ACME server that issues the certificate; the default is Let's Encrypt",
    ),
    email: OptionalText('ACME_EMAIL', 'Mail address for the account at the ACME server', {
      accepts: isMailAddress,
      otherwise: 'must be a mail address',
    }),
  }),
  databaseUrl: OptionalText(
    'DATABASE_URL',
    'PostgreSQL 15 or newer; without it, an embedded one runs in DATA_DIR',
  ),
  databasePooling: Choice(
    'DATABASE_POOLING',
    ['none', 'session', 'transaction'],
    'none',
    'Pooling mode of a PgBouncer at DATABASE_URL; transaction needs DIRECT_DATABASE_URL',
  ),
  directDatabaseUrl: OptionalText(
    'DIRECT_DATABASE_URL',
    'PostgreSQL itself, for migrations, jobs and indexing, if DATABASE_URL is a PgBouncer',
  ),
  readDatabaseUrl: OptionalText(
    'READ_DATABASE_URL',
    'Standby of DATABASE_URL that serves history and search while it has everything that is committed',
  ),
  valkeyUrl: Type.Decode(
    List(
      'VALKEY_URL',
      'Valkey or Redis 7 or newer that joins several processes, like redis://host:6379, or rediss:// with TLS; the processes also share DATABASE_URL and SECRET_KEY. Separate the servers of a cluster with commas',
      {
        accepts: (url) => /^rediss?:\/\/[^/]/.test(url) && URL.canParse(url),
        otherwise: 'must be addresses like redis://host:6379, separated by commas',
      },
    ),
    (urls) => optional(urls.join(',')),
  ),
  services: Type.Decode(
    List(
      'SERVICES',
      'Services of this process; `--services=` on the command line takes precedence: `api` answers requests, `gateway` holds WebSockets, `jobs` does background work, `voice` carries voice; fewer than all need VALKEY_URL',
      { default: SERVICES.join(',') },
    ),
    (names) => servicesNamed(names, 'SERVICES'),
  ),
  smtpUrl: OptionalText(
    'SMTP_URL',
    'Mail server, like smtp://user:password@host:587; without it, mails go to the log and to DATA_DIR/mailbox',
  ),
  mailFrom: Text(
    'MAIL_FROM',
    'Foyer <foyer@localhost>',
    'Sender of mails; mails use its name for the server',
    3,
  ),
  registration: Choice(
    'REGISTRATION',
    [...registrationModes],
    'open',
    'New accounts until operators change it: `open` to everyone, with an `invite` to a space or of an operator, by an application and the `approval` of an operator, or `closed`',
  ),
  registrationDomains: Type.Decode(
    List(
      'REGISTRATION_DOMAINS',
      'Mail domains whose addresses new accounts may have, like example.org, separated by commas, until operators change it; default: all',
      { accepts: isMailDomain, otherwise: 'must be domains like example.org, separated by commas' },
    ),
    (domains) => domains.map(canonicalDomain),
  ),
  signupPuzzle: Choice(
    'SIGNUP_PUZZLE',
    [...puzzleModes],
    'attack',
    'Computing work that a client does for a new account, until operators change it: `always`, while unusually many accounts are created (`attack`), or `off`, as with RATE_LIMITS=off',
  ),
  oidcProviders: Type.Decode(
    NeededText(
      'OIDC_PROVIDERS',
      'Sign-in providers (OpenID Connect): a JSON array, or the path of a file with one; see [docs/SIGN-IN.md](docs/SIGN-IN.md)',
    ),
    readProviders,
  ),
  passwordLogin: Switch(
    'PASSWORD_LOGIN',
    ['on', 'off'],
    'Login and new accounts with a password; off needs OIDC_PROVIDERS',
  ),
  includedStorageBytes: Count(
    'INCLUDED_STORAGE_BYTES',
    5 * GIB,
    "Size in bytes of the bucket that a space may add from the server's own storage; 0 turns it off",
  ),
  defaultStorageBytes: ZeroForNone(
    'DEFAULT_STORAGE_BYTES',
    GIB,
    "Limit in bytes of each space without a bucket, and of each user, in the server's own storage; 0 for no limit",
  ),
  ownerStorageBytes: Type.Optional(
    Count(
      'OWNER_STORAGE_BYTES',
      undefined,
      "Limit in bytes of all spaces of one owner together in the server's own storage; 0 for no limit; default: five times the sum of INCLUDED_STORAGE_BYTES and DEFAULT_STORAGE_BYTES, or no limit if DEFAULT_STORAGE_BYTES is 0",
    ),
  ),
  uploadLimitBytes: Count('UPLOAD_LIMIT_BYTES', GIB, "Largest file in the server's own storage, in bytes", {
    minimum: 1,
    maximum: MAX_UPLOAD_BYTES,
  }),
  spaceImportBytes: Count(
    'SPACE_IMPORT_BYTES',
    GIB,
    'Largest archive of a space that people may import, in bytes',
    { minimum: 1, maximum: MAX_UPLOAD_BYTES },
  ),
  spaceImportMessages: Count(
    'SPACE_IMPORT_MESSAGES',
    2_000_000,
    'Most messages of a space that people may import',
  ),
  minFreeDiskBytes: Count(
    'MIN_FREE_DISK_BYTES',
    GIB,
    'Space in bytes kept free for the database on the disk of DATA_DIR: uploads that would leave less are refused; 0 turns it off',
  ),
  s3: Type.Decode(
    Type.Object({
      endpoint: NeededText(
        'S3_ENDPOINT',
        "S3-compatible object storage for the server's own files, like https://s3.example.org; without it, they are in DATA_DIR/files",
      ),
      region: Text('S3_REGION', 'us-east-1', 'Its region'),
      bucketName: NeededText('S3_BUCKET', 'Its bucket'),
      accessKeyId: NeededText('S3_ACCESS_KEY_ID', 'Its access key'),
      secretAccessKey: NeededText('S3_SECRET_ACCESS_KEY', 'Its secret key'),
      usePathStyle: Switch(
        'S3_USE_PATH_STYLE',
        ['true', 'false'],
        '`true` names the bucket in the path, `false` in the host name',
      ),
    }),
    (s3) => (s3.endpoint === '' ? undefined : s3),
  ),
  backup: BackupSettings,
  updateSnapshotDays: Count(
    'UPDATE_SNAPSHOT_DAYS',
    7,
    'Days for which the database from before an update is kept for `npm run rollback`, and deleted files with it; 0 updates without a copy',
    { maximum: 365 },
  ),
  allowedPrivateHosts: List(
    'ALLOWED_PRIVATE_HOSTS',
    'Hosts, addresses or ranges of private networks that storage buckets and links may use, separated by commas, each with `:port` or for all ports',
  ),
  linkPreviews: Switch('LINK_PREVIEWS', ['on', 'off'], 'Previews of the links in messages'),
  voice: VoiceSettings,
  secretKey: OptionalText(
    'SECRET_KEY',
    'At least 32 characters from which all keys are derived; without it, one is generated and stored in DATA_DIR',
    {
      accepts: (key) => key.length >= MIN_SECRET_KEY_CHARACTERS,
      otherwise: `must have at least ${MIN_SECRET_KEY_CHARACTERS} characters`,
    },
  ),
  trustedProxies: List(
    'TRUSTED_PROXIES',
    'Addresses or ranges of proxies whose X-Forwarded-For is trusted, separated by commas',
  ),
  rateLimits: Switch(
    'RATE_LIMITS',
    ['on', 'off'],
    'Limits of requests and connections, also under overload; off for benchmarks and tests',
  ),
  gatewayBacklogBytes: ZeroForNone(
    'GATEWAY_BACKLOG_BYTES',
    0,
    'Limit in bytes of data that a process queues for slow gateway clients; 0 for an eighth of the memory, up to 2 GiB',
  ),
  metricsToken: OptionalText(
    'METRICS_TOKEN',
    'Bearer token for /metrics; without it, only this machine may read them, and no one if PUBLIC_URL is set',
  ),
  logLevel: Choice(
    'LOG_LEVEL',
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'info',
    'Lowest level to log',
  ),
})
