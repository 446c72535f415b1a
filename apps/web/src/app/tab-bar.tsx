import { useState } from "react";
import { Link, useLocation } from "wouter";
import { afterPaint } from "../lib/after-paint.ts";
import { HOME, SETTINGS } from "../lib/text.ts";
import { haptic } from "../telegram/native.ts";
import { Icon, type IconName } from "../kit/icons.tsx";
import styles from "../kit/over.module.css";
import { appCopy as copy } from "./messages.fr.ts";
import { hidesTabBar, type Tab, tabOf } from "./navigation.ts";

const TABS: readonly { tab: Tab; href: string; icon: IconName; name: string }[] = [
  { tab: "home", href: HOME, icon: "home", name: copy.home },
  { tab: "products", href: "/ProductsList", icon: "bag", name: copy.products },
  { tab: "groups", href: "/GroupeListe", icon: "people", name: copy.groups },
  { tab: "statistics", href: "/Statistics", icon: "chart", name: copy.statistics },
  { tab: "settings", href: SETTINGS, icon: "gear", name: copy.settings },
];

/** Five tabs (decision 26). */
export function TabBar() {
  const [path, navigate] = useLocation();
  const [touched, setTouched] = useState<Tab | null>(null);
  if (hidesTabBar(path)) return null;
  const current = touched ?? tabOf(path);
  // The tab answers the finger at once; its screen, which a slow phone draws later, comes next.
  const open = (tab: Tab, href: string) => {
    haptic("selection");
    setTouched(tab);
    afterPaint(() => {
      navigate(href);
      setTouched(null);
    });
  };
  return (
    <nav className={styles.bar} data-tab-bar="" aria-label={copy.tabs}>
      {TABS.map(({ tab, href, icon, name }) => (
        <Link
          key={tab}
          href={href}
          className={styles.tab}
          aria-current={tab === current ? "page" : undefined}
          onClick={(event) => {
            event.preventDefault();
            open(tab, href);
          }}
        >
          <Icon name={icon} />
          <span className={styles.name}>{name}</span>
        </Link>
      ))}
    </nav>
  );
}
