export { registerSettingsHttp } from "./http.ts";
