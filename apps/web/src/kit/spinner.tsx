import styles from "./content.module.css";

export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
