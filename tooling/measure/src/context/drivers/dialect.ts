import { cannot, changed, expectStart, found, sumOf, wanted } from "./driver.ts";
import type { Call, Change, Driver, Match, Query, Reach, Session } from "./driver.ts";

export interface Part<Item> {
  readonly items: readonly Item[];
  readonly next?: Call | undefined;
  /** Whether that one gives these items again, and more. */
  readonly isRepeated?: boolean;
  /** What it says is missing, where nothing can be done about it. */
  readonly lacks?: string | undefined;
}

export function mapped<From, To>({ items, ...rest }: Part<From>, itemOf: (item: From) => To): Part<To> {
  return { ...rest, items: items.map(itemOf) };
}

interface Entry {
  readonly name: string;
  readonly size?: number | undefined;
}

interface Lines {
  readonly items: readonly string[];
  readonly next?: number | undefined;
  readonly total?: number | undefined;
  readonly lacks?: string | undefined;
}

interface LineRange {
  readonly from: number;
  readonly count: number;
  /** Whether an answer before led here: then the largest page is asked for. */
  readonly goesOn: boolean;
  readonly encoding?: string | undefined;
}

/**
 * How one set of tools is called, and how its answers are read. The calls are those that a model would make first.
 * The readers throw `Refused` for answers that are none.
 */
export interface Dialect {
  readonly list: (directory: string, reach: Reach) => Call;
  readonly entries: (answer: string, call: Call) => Part<Entry>;
  readonly find: (pattern: string, directory: string, reach: Reach) => Call;
  readonly paths: (answer: string, call: Call) => Part<string>;
  readonly findsNewestFirst?: boolean;
  readonly search: (query: Query) => Call;
  readonly matches: (answer: string, call: Call, query: Query) => Part<Match>;
  readonly showsContext?: boolean;
  readonly read: (path: string, range: LineRange) => Call;
  readonly lines: (answer: string, range: LineRange) => Lines;
  readonly edit: (path: string, changes: readonly Change[], encoding?: string) => Call;
  readonly editsSeveral?: boolean;
  /** Whether a change of every place has to be made by writing the whole file. */
  readonly rewritesAll?: boolean;
  readonly write: (path: string, content: string) => Call;
  readonly move?: (from: string, to: string) => Call;
  readonly copy?: (from: string, to: string) => Call;
  readonly remove?: (path: string) => Call;
  /** The call whose answer tells how many lines a file has, and where it tells that. */
  readonly countLines?: readonly [call: (path: string) => Call, count: RegExp];
  readonly done: RegExp;
  readonly others?: (base: Driver, session: Session) => Partial<Driver>;
}

export function drive(dialect: Dialect, session: Session): Driver {
  const doubtIf = (notice: string | undefined) => {
    if (notice !== undefined) session.doubt(notice);
  };
  const all = async <Item>(
    first: Call,
    read: (answer: string, call: Call) => Part<Item>,
    isEnough: (item: Item) => boolean = () => false,
  ): Promise<Item[]> => {
    const items: Item[] = [];
    for (let call: Call | undefined = first; call !== undefined;) {
      const part: Part<Item> = read(await session.call(...call), call);
      items.push(...part.items);
      if (part.items.some(isEnough)) return items;
      if (part.isRepeated === true) items.length = 0;
      doubtIf(part.lacks);
      call = part.next;
    }
    return items;
  };
  const change = async (call: Call) => {
    expectStart(await session.call(...call), dialect.done);
  };
  const lineCount = async (path: string): Promise<number> => {
    if (dialect.countLines !== undefined) {
      const [call, count] = dialect.countLines;
      return Number(found(await session.call(...call(path)), count));
    }
    const range = { from: 1, count: 1, goesOn: false };
    const answer = await session.call(...dialect.read(path, range));
    return dialect.lines(answer, range).total ?? cannot("counts lines");
  };
  const entries = async (directory: string, reach: Reach = {}) => all(dialect.list(directory, reach), dialect.entries);
  const driver: Driver = {
    list: async (directory, reach) => (await entries(directory, reach)).map(({ name }) => name),
    nameIn: async (directory, isMeant) =>
      (await all(dialect.list(directory, {}), dialect.entries, ({ name }) => isMeant(name))).find(({ name }) =>
        isMeant(name),
      )?.name,
    count: async (directory) => (await entries(directory)).length,
    find: async (pattern, reach = {}) => all(dialect.find(pattern, ".", reach), dialect.paths),
    search: async (query) =>
      wanted(query, await all(dialect.search(query), (answer, call) => dialect.matches(answer, call, query))),
    around: async (query, context) => {
      if (dialect.showsContext === true) return driver.search({ ...query, context });
      const lines: Match[] = [];
      for (const { file, line } of await driver.search(query)) {
        const from = Math.max(1, line - context);
        const rows = await driver.read(file, { from, count: line + context + 1 - from });
        lines.push(...rows.map((text, index) => ({ file, line: from + index, text })));
      }
      return lines;
    },
    filesWith: async (query) => [...new Set((await driver.search(query)).map(({ file }) => file))],
    countLines: async (query) => (await driver.search(query)).length,
    read: async (path, { from = 1, count = Infinity, encoding } = {}) => {
      const lines: string[] = [];
      let goesOn = false;
      for (let at: number | undefined = from; at !== undefined && at < from + count; goesOn = true) {
        const range: LineRange = { from: at, count: from + count - at, goesOn, encoding };
        const { items, next, lacks } = dialect.lines(await session.call(...dialect.read(path, range)), range);
        lines.push(...items);
        doubtIf(lacks);
        at = next;
      }
      return lines.slice(0, count);
    },
    sum: async (path) => sumOf(await driver.read(path)),
    tail: async (path, count) => {
      const last = await lineCount(path);
      return driver.read(path, { from: Math.max(1, last - count + 1), count });
    },
    lineEnd: async (path, line) => (await driver.read(path, { from: line, count: 1 }))[0] ?? "",
    edit: async (path, changes, encoding) => {
      if (dialect.rewritesAll === true && changes.some(({ all: every = false }) => every)) {
        await driver.write(path, `${changed((await driver.read(path)).join("\n"), changes)}\n`);
      } else if (dialect.editsSeveral === true) await change(dialect.edit(path, changes, encoding));
      else for (const one of changes) await change(dialect.edit(path, [one], encoding));
    },
    editFiles: async (changes) => {
      for (const { path, ...one } of changes) await driver.edit(path, [one]);
    },
    editLines: async (lines, { before, after }) => {
      for (const file of new Set(lines.map((match) => match.file))) {
        const places = lines.filter((match) => match.file === file).length;
        await driver.edit(file, [{ before, after, all: places > 1 }]);
      }
    },
    write: async (path, content) => change(dialect.write(path, content)),
    move: async (from, to) => (dialect.move === undefined ? cannot("moves a file") : change(dialect.move(from, to))),
    copy: async (from, to) =>
      dialect.copy === undefined
        ? driver.write(to, `${(await driver.read(from)).join("\n")}\n`)
        : change(dialect.copy(from, to)),
    remove: async (path) => (dialect.remove === undefined ? cannot("deletes a file") : change(dialect.remove(path))),
    largest: async (directory) => {
      const sized = (await entries(directory)).filter(({ size }) => size !== undefined);
      if (sized.length === 0) cannot("tells the size of a file");
      return sized.sort((one, other) => (other.size ?? 0) - (one.size ?? 0))[0]?.name ?? "";
    },
    newest: async (pattern) => {
      if (dialect.findsNewestFirst !== true) cannot("tells when a file was changed");
      return (await driver.find(pattern))[0] ?? "";
    },
    pictureSize: async () => Promise.resolve(cannot("tells the size of a picture")),
    page: async () => Promise.resolve(cannot("reads a PDF")),
  };
  return Object.assign(driver, dialect.others?.({ ...driver }, session));
}
