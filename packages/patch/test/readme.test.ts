import { testReadme } from "@fstools/testing";

testReadme(import.meta.url);
