import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  build: {
    target: "es2022",
    // Nothing may be inlined as data: or style attribute, the server's content security policy is strict.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      "/api": { target: process.env["GROGNARD_URL"] ?? "http://127.0.0.1:1944", ws: true },
    },
  },
});
