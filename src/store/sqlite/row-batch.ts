// Rows gathered and written many to a statement: crossing into the driver costs more than the row.

import type { Database } from './database.ts';

export interface RowBatch {
  /** Writes the gathered rows when there are enough for a statement. */
  add(...cells: (string | number)[]): void;
  /** Writes what is left. */
  flush(): void;
  /** Drops what is left. */
  clear(): void;
}

const rowsPerStatement = 64;

/** In `sql`, `VALUES (*)` stands for as many rows of `columns` columns as there are. */
export function createRowBatch(db: Database, sql: string, columns: number): RowBatch {
  const row = `(${Array(columns).fill('?').join(', ')})`;
  const one = db.prepare(sql.replace('(*)', row));
  const many = db.prepare(sql.replace('(*)', Array(rowsPerStatement).fill(row).join(', ')));
  const full = columns * rowsPerStatement;
  let values: (string | number)[] = [];
  return {
    add(...cells) {
      for (const cell of cells) values.push(cell);
      if (values.length < full) return;
      many.run(...values);
      values = [];
    },
    flush() {
      for (let at = 0; at < values.length; at += columns) one.run(...values.slice(at, at + columns));
      values = [];
    },
    clear() {
      values = [];
    },
  };
}
