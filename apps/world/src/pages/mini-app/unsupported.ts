import type { Fields } from "./fields.ts";
import type { Post } from "./handlers.ts";

const UNSUPPORTED = { error: "UNSUPPORTED" };

/** Calls this phone has no hardware for: answered, so that no app waits for ever. */
const ANSWERS: Record<string, { eventType: string; eventData: Fields; echo?: true }> = {
  web_app_add_to_home_screen: { eventType: "home_screen_failed", eventData: UNSUPPORTED },
  web_app_check_home_screen: {
    eventType: "home_screen_checked",
    eventData: { status: "unsupported" },
  },
  web_app_biometry_get_info: {
    eventType: "biometry_info_received",
    eventData: { available: false },
  },
  web_app_check_location: { eventType: "location_checked", eventData: { available: false } },
  web_app_request_location: { eventType: "location_requested", eventData: { available: false } },
  web_app_start_accelerometer: { eventType: "accelerometer_failed", eventData: UNSUPPORTED },
  web_app_start_gyroscope: { eventType: "gyroscope_failed", eventData: UNSUPPORTED },
  web_app_start_device_orientation: {
    eventType: "device_orientation_failed",
    eventData: UNSUPPORTED,
  },
  web_app_set_emoji_status: { eventType: "emoji_status_failed", eventData: UNSUPPORTED },
  web_app_request_emoji_status_access: {
    eventType: "emoji_status_access_requested",
    eventData: { status: "cancelled" },
  },
  web_app_request_file_download: {
    eventType: "file_download_requested",
    eventData: { status: "cancelled" },
  },
  web_app_open_scan_qr_popup: { eventType: "scan_qr_popup_closed", eventData: {} },
  web_app_request_chat: {
    eventType: "requested_chat_failed",
    eventData: UNSUPPORTED,
    echo: true,
  },
};

export function refuseUnsupported(post: Post, eventType: string, data: Fields): void {
  const echo = { req_id: data.req_id };
  const storage = /^web_app_(device|secure)_storage_/.exec(eventType)?.[1];
  if (storage !== undefined) return post(`${storage}_storage_failed`, { ...echo, ...UNSUPPORTED });
  const answer = ANSWERS[eventType];
  if (answer === undefined) return;
  post(answer.eventType, answer.echo ? { ...echo, ...answer.eventData } : answer.eventData);
}
