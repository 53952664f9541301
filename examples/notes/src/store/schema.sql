-- The database of `notes`. Every statement may run again.
PRAGMA journal_mode = WAL;
PRAGMA foreign_keys = ON;

CREATE TABLE IF NOT EXISTS note (
    id      INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: clients remember URIs
    title   TEXT NOT NULL,
    body    TEXT NOT NULL,
    changed TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ'))
);

CREATE TABLE IF NOT EXISTS attachment (
    note  INTEGER NOT NULL REFERENCES note ON DELETE CASCADE,
    name  TEXT NOT NULL,
    mime  TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (note, name)
);

-- The index over the text, which triggers keep up to date.
CREATE VIRTUAL TABLE IF NOT EXISTS note_text USING fts5 (
    title, body, content = note, content_rowid = id, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER IF NOT EXISTS note_added AFTER INSERT ON note BEGIN
    INSERT INTO note_text (rowid, title, body) VALUES (new.id, new.title, new.body);
END;
CREATE TRIGGER IF NOT EXISTS note_deleted AFTER DELETE ON note BEGIN
    INSERT INTO note_text (note_text, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
END;
CREATE TRIGGER IF NOT EXISTS note_changed AFTER UPDATE OF title, body ON note BEGIN
    INSERT INTO note_text (note_text, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
    INSERT INTO note_text (rowid, title, body) VALUES (new.id, new.title, new.body);
END;
