import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { ChartLine } from './scale.ts'

interface ChartTableProps {
  title: string
  lines: readonly ChartLine[]
  timeOf: (index: number) => string
  format: (value: number) => string
}

/** A table of all points, oldest first. It is rendered only when opened, because nine charts have thousands of points. */
export function ChartTable({ title, lines, timeOf, format }: ChartTableProps) {
  const [isOpen, setIsOpen] = useState(false)
  const places = [...(lines[0]?.values ?? []).keys()]
  return (
    <details className="chart-details" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary aria-label={t('{title}: table', { title })}>{t('Table')}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard
        <section className="chart-rows" aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Time')}</th>
                {lines.map(({ label }) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {places.map((place) => (
                <tr key={place}>
                  <th scope="row">{timeOf(place)}</th>
                  {lines.map(({ label, values }) => (
                    <td key={label}>{textOf(values[place] ?? null, format)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

function textOf(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value)
}
