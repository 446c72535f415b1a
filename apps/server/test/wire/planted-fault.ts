/** Loaded before the real program: SIGUSR2 then causes the fault named in the environment. */
process.on("SIGUSR2", () => {
  switch (process.env["PLANTED_FAULT"]) {
    case "rejection":
      void Promise.reject(new Error("a planted rejection"));
      return;
    case "connection":
      throw Object.assign(new Error("a planted reset"), { code: "ECONNRESET", syscall: "read" });
    default:
      throw new Error("a planted exception");
  }
});
