package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.ConfigKey;
import org.fibnuma.core.service.config.TomlSection;
import org.fibnuma.core.service.http.HttpConfig;

/**
 * A configuration with the lines of its keys.
 *
 * @param config that was read from a file.
 * @param root   of the file.
 */
public record ConfigFile(RouterConfig config, TomlSection root)
{
    /** Returns the line of a key of {@code [router]}, that of the table or 1 if it is missing. */
    int lineOfRouter(final ConfigKey<?> key)
    {
        return root.tableOrEmpty(RouterKeys.ROUTER).lineOf(key);
    }

    /** Returns the line of a key of {@code [http]}, that of the table or 1 if it is missing. */
    int lineOfHttp(final ConfigKey<?> key)
    {
        return root.tableOrEmpty(HttpConfig.TABLE).lineOf(key);
    }

    /** Returns the line of a key of a port, that of its table if the key is missing. */
    int lineOfPort(final String name, final ConfigKey<?> key)
    {
        return root.get(RouterKeys.PORTS).stream().filter(port -> name.equals(port.get(PortReader.NAME, "")))
            .mapToInt(port -> port.lineOf(key)).findFirst().orElse(1);
    }

    /** Returns the line of a table, or of the first one of an array; 1 if there is none. */
    int lineOfTable(final ConfigKey<?> key)
    {
        return root.lineOf(key);
    }
}
