import type { SpaceImportResult } from '@foyer/protocol/space-imports'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'

interface ImportResultProps {
  result: SpaceImportResult
  spaceId: string
  onOpen: (spaceId: string) => void
}

/** Lists what was imported and what was left out. */
export function ImportResult({ result, spaceId, onOpen }: ImportResultProps) {
  const leftOut = leftOutLines(result)
  return (
    <>
      <p role="status">
        {t('Your space is ready. Rooms: {rooms}, messages: {messages}, files: {files}.', {
          rooms: result.rooms,
          messages: result.messages,
          files: result.files,
        })}
      </p>
      {leftOut.length > 0 && (
        <>
          <p>{t('Left out:')}</p>
          <ul>
            {leftOut.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      <div className="form-actions">
        <Button look="primary" onClick={() => onOpen(spaceId)}>
          {t('Open the space')}
        </Button>
      </div>
    </>
  )
}

function leftOutLines({ left_out }: SpaceImportResult): string[] {
  const lines: [number, string][] = [
    [left_out.files, t('Files: {count}', { count: left_out.files })],
    [left_out.images, t('Pictures: {count}', { count: left_out.images })],
    [left_out.pins, t('Pins: {count}', { count: left_out.pins })],
    [
      left_out.member_overwrites,
      t('Room permissions of individual members: {count}', { count: left_out.member_overwrites }),
    ],
    [left_out.notices, t('System messages: {count}', { count: left_out.notices })],
  ]
  return lines.filter(([count]) => count > 0).map(([, line]) => line)
}
