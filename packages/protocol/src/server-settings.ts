import { type Static, Type } from 'typebox'
import { Nullable } from './schema.ts'

export const settingSources = ['environment', 'file', 'command_line', 'default', 'console'] as const
export type SettingSource = (typeof settingSources)[number]

/** A setting of the server. */
export const ServerSetting = Type.Object(
  {
    variable: Type.String({ description: 'name of the environment variable' }),
    value: Nullable(Type.String({ description: 'null for a secret, and without a value' })),
    is_set: Type.Boolean(),
    is_secret: Type.Boolean(),
    source: Type.Unsafe<SettingSource>({ type: 'string', enum: settingSources }),
    is_live: Type.Boolean({ description: 'true if operators change it while the server runs' }),
    description: Type.String(),
  },
  { title: 'ServerSetting' },
)
export type ServerSetting = Static<typeof ServerSetting>

/** In the order of the documentation. */
export const ServerSettings = Type.Object(
  { settings: Type.Array(ServerSetting) },
  { title: 'ServerSettings' },
)
export type ServerSettings = Static<typeof ServerSettings>
