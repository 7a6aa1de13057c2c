import type { ReactNode } from 'react'
import './data-table.css'

interface DataTableProps {
  label: string
  /** Column titles. The first column names the rows. */
  columns: readonly string[]
  rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}

/** A table of a few numbers. It fits on a phone, because the names of its rows may wrap anywhere. */
export function DataTable({ label, columns, rows }: DataTableProps) {
  return (
    <table className="data-table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells: [name, ...cells] }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
