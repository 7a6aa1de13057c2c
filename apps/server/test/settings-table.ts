import { Settings } from '#src/settings.ts'

/** The settings as the README shows them. */
export function settingsTable(): string {
  const rows = Object.entries<object>(Settings.properties).map(([name, setting]) => {
    const value: unknown = Reflect.get(setting, 'default')
    return `| ${name} | ${value === '' || value === undefined ? '–' : `\`${value}\``} | ${Reflect.get(setting, 'description')} |`
  })
  return ['| Setting | Default | |', '|---|---|---|', ...rows].join('\n')
}
