// The journal's port: what the engine may ask of a store, and what every store promises. Types only; it must
// never name a database, a file or a thread. test/conformance/journal.ts is this page as tests.

/** A stream's name: `run_…`, or `<kind>/<name>` for what runs share, e.g. `host/local`. Printable ASCII. */
export type StreamName = string;

/** An event before it is stored. `data` is JSON text: the caller serialises, so that the store need not know the model. */
export interface NewEvent {
  readonly type: string;
  readonly data: string;
}

export interface StoredEvent {
  readonly stream: StreamName;
  /** From 1, without gaps. */
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** One stream's part of an append. A part without events is a fence alone: it stores nothing, and the append fails if the stream has moved. */
export interface StreamAppend {
  readonly stream: StreamName;
  /** The sequence number of the last event the writer has seen (0 = none): the fence. */
  readonly expected: number;
  readonly at: number;
  readonly events: readonly NewEvent[];
  /** Whether the stream still has work in it; recovery loads only open streams. */
  readonly open: boolean;
}

export type AppendOutcome =
  | { readonly kind: 'appended' }
  | {
      readonly kind: 'conflict';
      readonly stream: StreamName;
      readonly expected: number;
      readonly head: number;
    };

export interface StreamHead {
  readonly stream: StreamName;
  readonly seq: number;
  readonly hash: string;
  readonly open: boolean;
}

/** A cache of a fold: state after event `seq`. `format` is the caller's number for the shape of `data`. */
export interface Snapshot {
  readonly stream: StreamName;
  readonly seq: number;
  readonly format: number;
  readonly data: string;
}

export interface HeadFilter {
  readonly open?: boolean;
  readonly prefix?: string;
  /** Only names that sort after this one: the last name of the page before. */
  readonly after?: StreamName;
  /** Without a limit every match is returned. */
  readonly limit?: number;
}

export type DefectKind =
  | 'event_missing'
  | 'event_altered'
  | 'link_broken'
  | 'head_missing'
  | 'head_wrong'
  | 'file_damaged';

/** One thing that is wrong. `file_damaged` concerns the whole store: its stream is empty and its seq 0. */
export interface JournalDefect {
  readonly kind: DefectKind;
  readonly stream: StreamName;
  readonly seq: number;
  readonly detail: string;
}

export interface Journal {
  /**
   * All parts or none, durable when it resolves. A stream may appear in one part only. When the store is busy it resolves late
   * instead of failing: awaiting it is the back-pressure. A Fault means that the events are not known to be stored: the writer
   * rereads the head before it tries again.
   */
  append(parts: readonly StreamAppend[]): Promise<AppendOutcome>;
  /**
   * Events with seq > after, in order, at most `limit`. A page is bounded in bytes as well, so a short page is not
   * the end: an empty one is. The hash chain is verified, from event `after` on and up to the head; a Fault
   * `journal_corrupt` names stream and seq.
   */
  read(stream: StreamName, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** In the order of their names. */
  heads(filter: HeadFilter): Promise<readonly StreamHead[]>;
  head(stream: StreamName): Promise<StreamHead | null>;
  /**
   * Kept unless a newer one is stored: it may be dropped, but never goes back. For an event that is not stored yet: Fault
   * bad_request.
   */
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  /** null when missing or damaged: the caller folds from the start. */
  loadSnapshot(stream: StreamName): Promise<Snapshot | null>;
  /** Recomputes every hash of every stream (or of one); reports what is wrong (the first 1,000), changes nothing. */
  verify(stream?: StreamName): Promise<readonly JournalDefect[]>;
  /** Finishes earlier calls; later ones are refused with `store_closed`. */
  close(): Promise<void>;
}
