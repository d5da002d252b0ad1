/** A set of file tools that others publish. */
export interface Rival {
  /** Short, and part of a folder's name. */
  readonly id: string;
  /** What people call it. */
  readonly title: string;
  readonly package: string;
  readonly version: string;
  /** Other packages that it needs, which npm would not install with it. */
  readonly with?: Readonly<Record<string, string>>;
  /** Programs that it runs and would download itself where they are missing; one of several names, with "|" between. */
  readonly needs?: readonly string[];
  /** Versions of its dependencies that work. */
  readonly overrides?: Readonly<Record<string, string>>;
}

export declare const RIVALS: readonly Rival[];
export declare function rivalsFolder(): string;
export declare function rivalFolder(rival: Rival): string;
export declare function rivalFile(packageName: string, file: string): string | undefined;
