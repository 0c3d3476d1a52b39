// A binary heap: the smallest item by `compare` is on top. If items know their places, any of them can be removed.

export interface Heap<T> {
  readonly size: number;
  push(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
  /** Removes the item at a place. */
  removeAt(place: number): void;
  /** From the smallest on, without changing the heap. Each step costs the logarithm of the steps before it. */
  inOrder(): Iterable<T>;
}

/** `placed` is called with the place of an item whenever that changes. */
export function createHeap<T>(
  compare: (a: T, b: T) => number,
  placed: (item: T, place: number) => void = ignore,
): Heap<T> {
  const items: T[] = [];
  const put = (item: T, place: number): void => {
    items[place] = item;
    placed(item, place);
  };
  const removeAt = (place: number): void => {
    const last = items.pop();
    if (last === undefined || place >= items.length) return;
    siftDown(items, last, place, compare, put);
  };
  return {
    get size() {
      return items.length;
    },
    peek: () => items[0],
    push: (item) => siftUp(items, item, items.length, compare, put),
    pop() {
      const top = items[0];
      removeAt(0);
      return top;
    },
    removeAt,
    inOrder: () => walk(items, compare),
  };
}

type Put<T> = (item: T, place: number) => void;
type Compare<T> = (a: T, b: T) => number;

/** Moves the items on its way by one place and puts it where it belongs. */
function siftUp<T>(items: readonly T[], item: T, from: number, compare: Compare<T>, put: Put<T>): void {
  let i = from;
  while (i > 0) {
    const above = (i - 1) >> 1;
    const parent = items[above] as T;
    if (compare(item, parent) >= 0) break;
    put(parent, i);
    i = above;
  }
  put(item, i);
}

/** An item from elsewhere in the heap may be smaller than the parent of its new place. */
function siftDown<T>(items: readonly T[], item: T, from: number, compare: Compare<T>, put: Put<T>): void {
  const { length } = items;
  let i = from;
  for (let below = 2 * i + 1; below < length; below = 2 * i + 1) {
    const right = below + 1;
    const child = right < length && compare(items[right] as T, items[below] as T) < 0 ? right : below;
    if (compare(items[child] as T, item) >= 0) break;
    put(items[child] as T, i);
    i = child;
  }
  if (i === from) siftUp(items, item, i, compare, put);
  else put(item, i);
}

function* walk<T>(items: readonly T[], compare: Compare<T>): Iterable<T> {
  if (items.length === 0) return;
  yield items[0] as T;
  /** Places whose parents were yielded already. */
  const next = createHeap<number>((a, b) => compare(items[a] as T, items[b] as T));
  const addBelow = (place: number): void => {
    for (const child of [2 * place + 1, 2 * place + 2]) if (child < items.length) next.push(child);
  };
  addBelow(0);
  for (let place = next.pop(); place !== undefined; place = next.pop()) {
    yield items[place] as T;
    addBelow(place);
  }
}

function ignore(): void {}
