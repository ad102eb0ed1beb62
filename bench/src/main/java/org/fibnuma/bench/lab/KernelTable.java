package org.fibnuma.bench.lab;

import org.fibnuma.core.service.netns.Host;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The IPv4 routes of a host's kernel. */
public final class KernelTable
{
    private static final Pattern PREFIXES = Pattern.compile("(?m)^\\s*Prefixes:\\s*(\\d+)");

    private KernelTable()
    {
    }

    /** Returns the number of prefixes in a host's largest IPv4 table. The kernel walks through all of them. */
    public static int prefixes(final Host host)
    {
        final Matcher matcher = PREFIXES.matcher(host.run("cat", "/proc/net/fib_triestat"));
        int most = 0;
        while (matcher.find())
        {
            most = Math.max(most, Integer.parseInt(matcher.group(1)));
        }
        return most;
    }
}
