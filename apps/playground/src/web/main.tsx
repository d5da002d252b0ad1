import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./styles.css";

createRoot(document.getElementById("app") ?? document.body).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
