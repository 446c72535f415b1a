import { afterPaint } from "../../lib/after-paint.ts";
import { type ApplicationFiles, loadApplication } from "./load-application.ts";
import { paintPicture } from "./paint-picture.ts";

// Filled in while the pages are built (home-picture.ts).
declare const PICTURE: string;
declare const FILES: ApplicationFiles;

const load = () => loadApplication(FILES);
if (isPainted()) afterPaint(load);
else load();

function isPainted(): boolean {
  try {
    return paintPicture(PICTURE);
  } catch {
    // The application paints it.
    return false;
  }
}
