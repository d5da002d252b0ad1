import { changed, globSource, linesOf, Refused, sumOf, wanted, type Driver, type Query } from "./drivers/driver.ts";
import { CHANGED_LAST, libraryFiles, TERMS, type Files } from "./fixtures.ts";
import type { Task } from "./tasks.ts";

export interface RightAnswer {
  readonly answer: unknown;
  readonly changes: Readonly<Record<string, string>>;
}

/** What a task comes to in the hands of somebody who knows how the project was made. */
export async function rightAnswer(task: Task, files: Files): Promise<RightAnswer> {
  const changes: Record<string, string> = {};
  const library = [...libraryFiles()].map(([path, content]) => [`../acme-lib/${path}`, content] as const);
  const { driver, rewrite } = perfect(new Map([...files, ...library]), (path, content) => {
    changes[path] = inBytes(content);
  });
  return { answer: await task.solve(driver, rewrite), changes };
}

export function inBytes(content: Buffer | undefined): string {
  return content?.toString("latin1") ?? "missing";
}

function perfect(files: Map<string, Buffer>, onChange: (path: string, content: Buffer | undefined) => void) {
  const bytes = (path: string): Buffer => {
    const content = files.get(path);
    if (content === undefined) throw new Refused(`There is no ${path}.`);
    return content;
  };
  const put = async (path: string, content: string | Buffer) => {
    files.set(path, Buffer.from(content));
    onChange(path, files.get(path));
    return Promise.resolve();
  };
  const remove = async (path: string) => {
    files.delete(path);
    onChange(path, undefined);
    return Promise.resolve();
  };
  const paths = () => [...files.keys()];
  const below = (directory: string) =>
    directory === "."
      ? paths().filter((path) => !path.startsWith("../"))
      : paths().flatMap((path) => (path.startsWith(`${directory}/`) ? [path.slice(directory.length + 1)] : []));
  const list = (directory: string) => [...new Set(below(directory).map((path) => path.replace(/\/.*/u, "/")))];
  const read = (path: string, encoding?: string) => linesOf(decoded(bytes(path), encoding));
  const find = (pattern: string) => {
    const regex = new RegExp(`^${globSource(pattern)}$`, "u");
    return below(".").filter((path) => regex.test(path));
  };
  const search = (query: Query) => {
    const isMeant = (file: string) =>
      file.startsWith(query.path ?? "") && file.endsWith(query.include?.replace("*", "") ?? "");
    const rows = (file: string) => read(file).map((text, index) => ({ file, line: index + 1, text }));
    return wanted(query, paths().filter(isMeant).flatMap(rows));
  };
  const edit: Driver["edit"] = async (path, changes) => {
    const before = bytes(path).toString("latin1");
    const inFile = (text: string) => (before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text);
    const fitting = changes.map((one) => ({ ...one, before: inFile(one.before), after: inFile(one.after) }));
    return put(path, Buffer.from(changed(before, fitting), "latin1"));
  };
  const answer = async <Value>(value: Value) => Promise.resolve(value);
  const driver: Driver = {
    list: (directory) => answer(list(directory)),
    nameIn: (directory, isMeant) => answer(list(directory).find(isMeant)),
    count: (directory) => answer(list(directory).length),
    find: (pattern) => answer(find(pattern)),
    search: (query) => answer(search(query)),
    around: (query, context) => {
      const lines = search(query).flatMap(({ file, line }) => {
        const from = Math.max(1, line - context);
        const rows = read(file).slice(from - 1, line + context);
        return rows.map((text, index) => ({ file, line: from + index, text }));
      });
      return answer(lines);
    },
    filesWith: (query) => answer([...new Set(search(query).map(({ file }) => file))]),
    countLines: (query) => answer(search(query).length),
    read: async (path, { from = 1, count = Infinity, encoding } = {}) =>
      answer(read(path, encoding).slice(from - 1, from - 1 + count)),
    sum: (path) => answer(sumOf(read(path))),
    tail: (path, count) => answer(read(path).slice(-count)),
    lineEnd: (path, line) => answer(read(path)[line - 1] ?? ""),
    edit,
    editFiles: async (changes) => {
      for (const { path, ...one } of changes) await edit(path, [one]);
    },
    editLines: async (lines, change) => {
      for (const file of new Set(lines.map((match) => match.file))) await edit(file, [{ ...change, all: true }]);
    },
    write: put,
    move: async (from, to) => {
      const moved = paths().filter((path) => path === from || path.startsWith(`${from}/`));
      for (const path of moved) {
        await put(to + path.slice(from.length), bytes(path));
        await remove(path);
      }
    },
    copy: (from, to) => put(to, bytes(from)),
    remove,
    largest: (directory) => {
      const size = (name: string) => files.get(`${directory}/${name}`)?.length ?? 0;
      return answer(list(directory).sort((one, other) => size(other) - size(one))[0] ?? "");
    },
    newest: () => answer(CHANGED_LAST.at(-1) ?? ""),
    pictureSize: (path) => answer(`${bytes(path).readUInt32BE(16)}x${bytes(path).readUInt32BE(20)}`),
    page: (_, page) => answer(TERMS[page - 1]?.join("\n") ?? ""),
  };
  const rewrite = (path: string, change: (before: string) => string) => void put(path, change(bytes(path).toString()));
  return { driver, rewrite };
}

function decoded(content: Buffer, encoding?: string): string {
  const isUtf16 = content.subarray(0, 2).toString("hex") === "fffe";
  return new TextDecoder(encoding ?? (isUtf16 ? "utf-16le" : "utf-8")).decode(content);
}
