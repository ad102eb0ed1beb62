package org.fibnuma.bench.product;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of a systemd unit, by which a test starts the program as systemd would.
 *
 * @param text of the file.
 */
record UnitFile(String text)
{
    private static final String CAPABILITY_PREFIX = "CAP_";

    /** Yields the only value of a setting. */
    String value(final String setting)
    {
        final List<String> values = text.lines().filter(line -> line.startsWith(setting + "="))
            .map(line -> line.substring(setting.length() + 1)).collect(Collectors.toList());
        if (values.size() != 1)
        {
            throw new AssertionError(setting + " is set " + values.size() + " times: " + values);
        }
        return values.get(0);
    }

    /** Yields the command of a template's instance. */
    List<String> command(final String instance)
    {
        return List.of(value("ExecStart").replace("%i", instance).split(" "));
    }

    /** Yields the arguments by which setpriv gives a program the unit's user and exactly its capabilities. */
    List<String> setpriv()
    {
        return Stream.concat(Stream.of("setpriv", "--reuid", value("User"), "--regid", value("Group"),
            "--clear-groups", "--no-new-privs", "--inh-caps=" + capabilities("AmbientCapabilities")),
            Stream.of("--ambient-caps=" + capabilities("AmbientCapabilities"),
                "--bounding-set=" + capabilities("CapabilityBoundingSet"))).collect(Collectors.toList());
    }

    private String capabilities(final String setting)
    {
        return Stream.of(value(setting).split(" "))
            .map(name -> ",+" + name.substring(CAPABILITY_PREFIX.length()).toLowerCase(Locale.ROOT))
            .collect(Collectors.joining("", "-all", ""));
    }
}
