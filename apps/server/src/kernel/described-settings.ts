import { type TSchema, Type } from 'typebox'
import { isSetting, type Setting } from './setting-kinds.ts'
import { shownSettings } from './shown-settings.ts'

/** A setting as operators see it. */
export interface DescribedSetting {
  readonly variable: string
  /** Value in the environment; null if it is secret or unset. */
  readonly value: string | null
  readonly isSet: boolean
  readonly isSecret: boolean
  readonly source: 'environment' | 'file' | 'command_line' | 'default'
  readonly description: string
}

interface Given {
  environment: NodeJS.ProcessEnv
  /** Values of the command line, by variable. */
  commandLine: Readonly<Record<string, string | undefined>>
}

/** Describes all settings, in the order of the schema. The result contains no secrets. */
export function describeSettings(schema: TSchema, given: Given): DescribedSetting[] {
  return listSettings(schema).map((setting) => describe(setting, given))
}

/** Returns the settings of a group, including its subgroups. */
export function listSettings(schema: TSchema): Setting[] {
  if (Type.IsObject(schema)) return Object.values(schema.properties).flatMap(listSettings)
  return isSetting(schema) ? [schema] : []
}

function describe({ variable, description, default: usual }: Setting, given: Given): DescribedSetting {
  const named = given.commandLine[variable]
  const text = named ?? (given.environment[variable] || undefined)
  const value = text ?? (usual === undefined ? '' : String(usual))
  const isSecret = !shownSettings.has(variable)
  const source = sourceOf(variable, text, named !== undefined)
  return {
    variable,
    value: isSecret || value === '' ? null : withoutCredentials(value),
    // SECRET_KEY is always set: without one in the environment, the server generates a key and keeps it in a file.
    isSet: value !== '' || source === 'file',
    isSecret,
    source,
    description: plain(description),
  }
}

function sourceOf(variable: string, text: string | undefined, isNamed: boolean): DescribedSetting['source'] {
  if (isNamed) return 'command_line'
  if (variable === 'SECRET_KEY' && text === undefined) return 'file'
  if (text === undefined) return 'default'
  return variable === 'OIDC_PROVIDERS' && !text.trim().startsWith('[') ? 'file' : 'environment'
}

/** Removes a user and password from addresses, in case an operator put them there. */
export function withoutCredentials(value: string): string {
  return value.replaceAll(/:\/\/[^/\s,]*@/g, '://…@')
}

/** Removes the Markdown of a description, which is meant for the README. */
function plain(description: string): string {
  return description.replaceAll(/\[([^[\]]*)\]\([^()[\]]*\)/g, '$1').replaceAll('`', '')
}
