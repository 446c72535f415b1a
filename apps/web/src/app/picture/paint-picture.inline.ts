import { loadApplication } from "./load-application.ts";
import { paintPicture } from "./paint-picture.ts";

const template = document.querySelector<HTMLTemplateElement>("#home-picture");
if (template) {
  try {
    paintPicture(template);
  } catch {
    // The application paints it.
  }
  loadApplication(template.dataset);
}
