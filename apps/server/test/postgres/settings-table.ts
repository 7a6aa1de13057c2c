import { type TSchema, Type } from 'typebox'
import { isSetting } from '#src/kernel/setting-kinds.ts'
import { Settings } from '#src/settings.ts'

/** Returns the table of settings, as the README shows it. */
export function settingsTable(): string {
  return ['| Setting | Default | |', '|---|---|---|', ...rowsOf(Settings)].join('\n')
}

function rowsOf(schema: TSchema): string[] {
  if (Type.IsObject(schema)) return Object.values(schema.properties).flatMap(rowsOf)
  if (!isSetting(schema)) return []
  const { variable, description, default: value } = schema
  return [`| ${variable} | ${value === '' || value === undefined ? '–' : `\`${value}\``} | ${description} |`]
}
