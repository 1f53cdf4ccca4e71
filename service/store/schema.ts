/** Marks a SQLite file as ours: "DMsv". */
export const applicationId = 0x44_4d_73_76

/** The version of the tables; a file of another version is refused, not changed. */
export const schemaVersion = 1

export const schema = `
CREATE TABLE item (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  parent TEXT NOT NULL,
  id TEXT NOT NULL,
  lookup TEXT,
  body TEXT NOT NULL,
  UNIQUE (kind, parent, id)
) STRICT;
CREATE INDEX item_by_parent ON item (kind, parent, seq);
CREATE INDEX item_by_lookup ON item (kind, lookup);
CREATE TABLE event (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  org_id TEXT,
  project_id TEXT,
  type TEXT NOT NULL,
  created INTEGER NOT NULL,
  visible_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_org ON event (org_id, created);
CREATE INDEX event_by_project ON event (project_id, created);
CREATE TABLE notification (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`
