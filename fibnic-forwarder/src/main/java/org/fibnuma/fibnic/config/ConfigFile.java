package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.core.service.http.HttpConfig;

/** A configuration that was read from a file, and the root of the file with the lines of its keys. */
public record ConfigFile(RouterConfig config, TomlSection root)
{
    /** Returns the line of a key of {@code [router]}, without the key that of the table, without both 1. */
    int lineOfRouter(final ConfigKey<?> key)
    {
        return root.tableOrEmpty(RouterKeys.ROUTER).lineOf(key);
    }

    /** Returns the line of a key of {@code [http]}, without the key that of the table, without both 1. */
    int lineOfHttp(final ConfigKey<?> key)
    {
        return root.tableOrEmpty(HttpConfig.TABLE).lineOf(key);
    }

    /** Returns the line of a key of a port, without the key that of its table. */
    int lineOfPort(final String name, final ConfigKey<?> key)
    {
        return root.get(RouterKeys.PORTS).stream().filter(port -> name.equals(port.get(PortReader.NAME, "")))
            .mapToInt(port -> port.lineOf(key)).findFirst().orElse(1);
    }

    /** Returns the line of a table, or of the first table of an array; 1 if there is none. */
    int lineOfTable(final ConfigKey<?> key)
    {
        return root.lineOf(key);
    }
}
