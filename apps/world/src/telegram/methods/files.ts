import { badRequest } from "../api-error.ts";
import type { MethodTable } from "./table.ts";

export const fileMethods: MethodTable = {
  getFile(town, { args }) {
    const id = args.text("file_id");
    const file = town.state.files.get(id);
    if (file === undefined) throw badRequest("invalid file_id");
    return {
      file_id: id,
      file_unique_id: `AQAD${id.slice(4, 16)}`,
      file_size: Buffer.byteLength(file.bytes, "base64"),
      file_path: file.path,
    };
  },
};
