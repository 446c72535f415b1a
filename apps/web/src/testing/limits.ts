import { configure } from "@testing-library/react";

/** What a slow machine may take; a test that is right never waits for it. */
configure({ asyncUtilTimeout: 15_000 });
