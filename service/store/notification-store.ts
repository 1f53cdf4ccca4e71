import type { DatabaseSync } from 'node:sqlite'

/** A notification that became due and was not silenced (`GET /_control/notifications`). */
interface SentNotification {
  readonly alertId: string
  readonly alertConfigId: string
  readonly typeName: string
  readonly at: string
  readonly event: 'open' | 'close'
}

/** The number that is kept; older ones are dropped. */
export const notificationsKept = 10_000

export type NotificationStore = ReturnType<typeof createNotificationStore>

export const createNotificationStore = (database: DatabaseSync) => {
  const add = database.prepare('INSERT INTO notification (body) VALUES (?)')
  const trim = database.prepare('DELETE FROM notification WHERE seq <= ?')
  const list = database.prepare('SELECT body FROM notification ORDER BY seq')
  return {
    add(notification: SentNotification): void {
      const { lastInsertRowid } = add.run(JSON.stringify(notification))
      trim.run(Number(lastInsertRowid) - notificationsKept)
    },
    list: () => list.all().map((row) => JSON.parse(String(row['body'])) as SentNotification),
    clear(): void {
      database.exec('DELETE FROM notification')
    },
  }
}
