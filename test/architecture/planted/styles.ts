import type { Plant } from '../rule.ts'
import { noPhysicalSides } from '../styles.ts'

export const stylePlants: readonly Plant[] = [
  {
    rule: noPhysicalSides,
    because: 'a style names a side of the screen',
    breaks: {
      'apps/web/src/a/a.css': [
        '.a {',
        '  left: 0;',
        '  margin-right: 1rem;',
        '  border-left: 0;',
        '  border-top-left-radius: 1px;',
        '  text-align: right;',
        '  padding: 0 calc(1rem + 2px) 0 var(--b);',
        '  border-radius: 0 1rem 1rem 0;',
        '  transform: translateX(1rem);',
        '}',
      ].join('\n'),
    },
    at: [2, 3, 4, 5, 6, 7, 8, 9].map((line) => `apps/web/src/a/a.css:${line}`),
    keeps: {
      'apps/web/src/a/a.css': [
        '.a-left {',
        '  inset-inline-start: 0;',
        '  text-align: start;',
        '  padding: 0 calc(1rem + 2px) 1rem calc(1rem + 2px);',
        '  border-radius: 1rem;',
        '  transform: translateX(calc(1rem * var(--forward)));',
        '}',
      ].join('\n'),
      'docs/a.css': '.a { left: 0; }',
    },
  },
]
