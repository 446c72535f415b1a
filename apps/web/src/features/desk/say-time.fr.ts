/** How long ago, from whole minutes. */
export function sayAge(minutes: number): string {
  if (minutes < 1) return "à l'instant";
  if (minutes < 60) return `il y a ${minutes} min`;
  if (minutes < 24 * 60) return `il y a ${Math.floor(minutes / 60)} h`;
  const days = Math.floor(minutes / (24 * 60));
  return days === 1 ? "hier" : `il y a ${days} jours`;
}

/** A length of working time: "12 min", "3 h", "3 h 20". Days of work differ: hours do not. */
export function sayWorking(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole < 60) return `${whole} min`;
  const hours = Math.floor(whole / 60);
  const rest = whole % 60;
  return rest === 0 || hours >= 10 ? `${hours} h` : `${hours} h ${String(rest).padStart(2, "0")}`;
}

/** "12:04": what is left of a claim. */
export function sayCountdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The same, to be heard: whole minutes, so that nothing is said each second. */
export function sayCountdownHeard(seconds: number): string {
  const minutes = Math.ceil(Math.max(0, seconds) / 60);
  return minutes <= 1 ? "moins d'une minute" : `${minutes} minutes`;
}
