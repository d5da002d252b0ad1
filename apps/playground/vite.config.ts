import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL("src/web", import.meta.url)),
  plugins: [react()],
  // The page uses @fstools/protocol from its sources, as the rest of the app does.
  resolve: { conditions: ["@fstools/source", ...defaultClientConditions] },
  build: { modulePreload: { polyfill: false } },
});
